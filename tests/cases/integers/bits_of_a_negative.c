// property: reach
// truth: fails
// expect: refuted
// A number with the bits of a negative one is negative.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0 && (x | y) < 0)
        reach_error();
    return 0;
}
