// property: termination
// truth: fails
// expect: refuted
// `-1l` is less than zero, and `-1u` is not.
int main(void) {
    while (-__builtin_expect(1u, 1) < 0) {
    }
    return 0;
}
