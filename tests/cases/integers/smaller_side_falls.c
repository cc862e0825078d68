// property: termination
// truth: holds
// expect: proved
// The smaller of two numbers falls, while the other becomes anything.
int __VERIFIER_nondet_int(void);

int main(void) {
    int left = __VERIFIER_nondet_int();
    int right = __VERIFIER_nondet_int();
    while (left > 0 && right > 0) {
        if (left < right) {
            right = __VERIFIER_nondet_int();
            left--;
        } else {
            left = __VERIFIER_nondet_int();
            right--;
        }
    }
    return 0;
}
