// property: memsafety
// truth: holds
// expect: proved
// why: the digits lie behind their number in one structure, and each is below ten.
extern int __VERIFIER_nondet_int(void);

struct number {
    int length;
    int digits[8];
};

int main(void) {
    int seen[10] = {0};
    struct number it = {0, {0}};
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > 8)
        return 1;
    for (int at = 0; at < length; at++) {
        int digit = __VERIFIER_nondet_int();
        it.digits[at] = digit >= 0 && digit < 10 ? digit : 0;
    }
    it.length = length;
    for (int at = 0; at < it.length; at++)
        seen[it.digits[at]]++;
    return seen[0] > 0;
}
