// property: reach
// truth: fails
// expect: refuted
// What was read at an unknown place is overwritten by a part that is filled.
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void *memset(void *, int, unsigned long);
void *memcpy(void *, const void *, unsigned long);
void free(void *);
void reach_error(void);

int main(void)
{
    int i = __VERIFIER_nondet_int();
    int j = __VERIFIER_nondet_int();
    int other[2];
    int *a = malloc(4 * sizeof(int));
    int before;
    if (i < 0 || i > 1 || j < 0 || j > 1)
        return 0;
    a[0] = 1;
    a[1] = 1;
    other[0] = 2;
    other[1] = 2;
    before = a[i];
    memset(a, 0, 2 * sizeof(int));
    if (a[i] != before)
        reach_error();
    free(a);
    return 0;
}
