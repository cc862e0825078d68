// property: memsafety
// truth: fails
// expect: unknown(W006)
// The size of an array whose length is no constant is computed.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int rows[3];
    return sizeof(int[1 + (8u / (unsigned)n) % 4]) > 4 && rows != 0;
}
