// property: termination
// truth: holds
// expect: proved
// Up to a bound that does not move.
int __VERIFIER_nondet_int(void);

int main(void) {
    int bound = __VERIFIER_nondet_int();
    for (int i = __VERIFIER_nondet_int(); i < bound; i++)
        ;
    return 0;
}
