// property: memsafety
// truth: fails
// expect: unknown(W006)
// The division is one of integers; only its result becomes a number with a point.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int hits = __VERIFIER_nondet_int(), tries = __VERIFIER_nondet_int();
    double rate = hits / tries;
    return rate > 0.5;
}
