// property: termination
// truth: holds
// expect: proved
// Counts between 0 and the width need no test of their own.
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned word = __VERIFIER_nondet_uint();
    unsigned turned = 0;
    for (int bit = 31; bit >= 0; bit--) {
        turned |= (word & 1u) << bit;
        word >>= 1;
    }
    unsigned part = turned >> (word & 31);
    while (part > 1)
        part /= 2;
    return 0;
}
