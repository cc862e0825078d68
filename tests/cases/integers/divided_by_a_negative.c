// property: reach
// truth: fails
// expect: refuted
// The quotient is negative.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int y = __VERIFIER_nondet_int();
    if (y < 0 && y > -5 && 7 / y < 0)
        reach_error();
    return 0;
}
