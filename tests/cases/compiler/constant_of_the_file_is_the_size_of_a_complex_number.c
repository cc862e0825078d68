// property: termination
// truth: fails
// expect: unknown(W020)
// options: --entry wait
enum { PARTS = sizeof(double _Complex) / sizeof(double) };
void wait(void) {
    while (PARTS == 2) {}
}
