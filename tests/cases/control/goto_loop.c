// property: termination
// truth: holds
// expect: proved
// A loop made of goto.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
again:
    if (n <= 0)
        goto done;
    n -= 2;
    goto again;
done:
    return 0;
}
