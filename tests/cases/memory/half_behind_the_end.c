// property: memsafety
// truth: fails
// expect: refuted
// The second number starts in the block, and ends behind it.
void *malloc(unsigned long);
void free(void *);

int main(void)
{
    int *a = malloc(6);
    a[1] = 1;
    free(a);
    return 0;
}
