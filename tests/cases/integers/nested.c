// property: termination
// truth: holds
// expect: proved
// A triangle of two loops.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            sum += j;
    return sum;
}
