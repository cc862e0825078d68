// property: reach
// truth: fails
// expect: refuted
// A number above all cases goes to the default.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 1)
        return 0;
    switch (x) {
    case 1 ... 3:
        break;
    default:
        reach_error();
    }
    return 0;
}
