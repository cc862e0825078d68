// property: termination
// truth: holds
// expect: proved
// Early exits from a counted loop.
int __VERIFIER_nondet_int(void);

int main(void) {
    int seen = 0;
    for (int i = 0; i < 50; i++) {
        int x = __VERIFIER_nondet_int();
        if (x < 0)
            continue;
        if (x == 7)
            break;
        seen++;
    }
    return seen;
}
