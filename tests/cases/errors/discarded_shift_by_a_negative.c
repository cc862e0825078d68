// property: memsafety
// truth: fails
// expect: unknown(W006)
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int places = __VERIFIER_nondet_int();
    if (places > 31) {
        return 0;
    }
    (void)(1u << places);
    return 0;
}
