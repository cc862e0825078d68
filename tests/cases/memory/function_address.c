// property: termination
// truth: fails
// expect: unknown(W030)
// Of the number of a function's address nothing is known.
static int twice(int x) { return 2 * x; }

int main(void) {
    unsigned number = (unsigned)(unsigned long)&twice;
    while (number > 100) {
    }
    return 0;
}
