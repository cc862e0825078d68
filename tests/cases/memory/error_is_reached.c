// property: reach
// truth: fails
// expect: refuted
// The sum of two inputs can be 10.
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a > 2 && b > 2 && a + b == 10) {
        reach_error();
    }
    return 0;
}
