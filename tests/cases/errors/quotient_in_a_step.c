// property: memsafety
// truth: fails
// expect: unknown(W006)
// The step of the loop divides by what counts down to zero.
int main(void) {
    int left = 3;
    for (int i = 0; i < 5; i++, 12 / left) {
        left--;
    }
    return 0;
}
