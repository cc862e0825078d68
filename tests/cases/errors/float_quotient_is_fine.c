// property: memsafety
// truth: holds
// expect: proved
// With numbers that have a point the quotient is infinite, or none: nothing stops.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int hits = __VERIFIER_nondet_int(), tries = __VERIFIER_nondet_int();
    double rate = (double)hits / tries;
    return rate > 0.5;
}
