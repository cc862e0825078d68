// property: reach
// truth: fails
// expect: refuted
// The product may be less than its factors.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x >= 1 && x <= 3 && y >= -3 && y <= 3 && x * y < y)
        reach_error();
    return 0;
}
