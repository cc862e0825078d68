// property: termination
// truth: holds
// expect: proved
// An unsigned char below a constant that it can reach.
int __VERIFIER_nondet_int(void);

int main(void) {
    for (unsigned char c = 0; c < 200; c++)
        ;
    return 0;
}
