// property: termination
// truth: fails
// expect: unknown(W020)
// A complex number has two parts; that a compiler looks at its type alone makes it no `double`.
int main(void) {
    while (sizeof(1.0i) == 16) {}
    return 0;
}
