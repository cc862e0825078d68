// property: termination
// truth: fails
// expect: unknown(?)
// The pointer was never set.
int main(void) {
    int *p;
    return *p;
}
