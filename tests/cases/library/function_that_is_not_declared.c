// property: memsafety
// truth: fails
// expect: unknown(W020)
// The compiler takes the result for an `int`, and cuts the address.
int main(void) {
    char *path = getenv("PATH");
    return path ? *path : 0;
}
