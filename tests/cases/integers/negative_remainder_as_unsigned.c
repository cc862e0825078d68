// property: reach
// truth: fails
// expect: refuted
// A negative remainder becomes a large number.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned rest = __VERIFIER_nondet_int() % 5;
    if (rest > 100)
        reach_error();
    return 0;
}
