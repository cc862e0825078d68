// property: reach
// truth: fails
// expect: refuted
// A negative number becomes an address near the end of the address space.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x >= 0)
        return 0;
    char *p = (char *)(long)x;
    if (p > (char *)5)
        reach_error();
    return 0;
}
