// property: reach
// truth: holds
// expect: unknown(W012)
// Floating-point numbers are not modelled: a run with another one is none.
extern void reach_error(void);

int main(void) {
    double x = 1.0;
    if ((int)x == 5)
        reach_error();
    return 0;
}
