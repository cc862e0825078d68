// property: termination
// truth: fails
// expect: unknown(W030)
// A function's address is no number that arithmetic sees.
static int twice(int x) { return 2 * x; }

int main(void) {
    unsigned long number = (unsigned long)&twice;
    int rounds = 0;
    while (rounds < 10) {
        rounds++;
    }
    while (number < 0x7fffffffffffffff) {
    }
    return 0;
}
