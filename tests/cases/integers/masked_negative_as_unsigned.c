// property: reach
// truth: fails
// expect: refuted
// A mask that is negative keeps the sign.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned even = __VERIFIER_nondet_int() & -2;
    if (even > 3000000000u)
        reach_error();
    return 0;
}
