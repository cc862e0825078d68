// property: termination
// truth: fails
// expect: refuted

extern unsigned __VERIFIER_nondet_uint(void);

/* Nothing is above the greatest number. */
int main(void)
{
    unsigned limit = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i <= limit; i++)
        ;
    return 0;
}
