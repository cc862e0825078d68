// property: reach
// truth: holds
// expect: proved
// An address that was a byte is small.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    char *p = (char *)(unsigned long)(unsigned char)__VERIFIER_nondet_uint();
    if ((unsigned long)p > 255)
        reach_error();
    return 0;
}
