// property: termination
// truth: holds
// expect: unknown(W035)
// The remainder of the least number by -1 has no result, as its quotient has none: nothing that C
// defines comes to the loop.
int __VERIFIER_nondet_int(void);

int main(void) {
    int divided = __VERIFIER_nondet_int(), by = __VERIFIER_nondet_int();
    if (by != -1 || divided > -2147483647)
        return 0;
    int rest = divided % by;
    while (divided < -2147483647) {
    }
    return rest;
}
