// property: reach
// truth: fails
// expect: refuted
// A number may be overwritten by a write at an unknown place.
int __VERIFIER_nondet_int(void);
void *calloc(unsigned long, unsigned long);
void free(void *);
void reach_error(void);

int main(void)
{
    int *a = calloc(4, sizeof(int));
    int j = __VERIFIER_nondet_int();
    if (j < 0 || j > 3)
        return 0;
    a[1] = 0;
    a[j] = 2;
    if (a[1] != 0)
        reach_error();
    free(a);
    return 0;
}
