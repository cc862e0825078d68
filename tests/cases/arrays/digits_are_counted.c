// property: memsafety
// truth: holds
// expect: proved
// why: each digit is below ten, also where zeros and digits are told of together.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int seen[10] = {0};
    int digits[8] = {0};
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > 8)
        return 1;
    for (int at = 0; at < length; at++) {
        int digit = __VERIFIER_nondet_int();
        digits[at] = digit >= 0 && digit < 10 ? digit : 0;
    }
    for (int at = 0; at < length; at++)
        seen[digits[at]]++;
    return seen[0] > 0;
}
