// property: termination
// truth: fails
// expect: refuted
// options: --int-model=math
// A negative number never becomes zero.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n != 0)
        n--;
    return 0;
}
