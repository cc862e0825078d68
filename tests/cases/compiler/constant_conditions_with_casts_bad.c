// property: memsafety
// truth: fails
// expect: refuted

/* The array has the other length: `(unsigned) -1` is not negative. */
int a[((unsigned) -1 < 0) ? 4 : 1];

int main(void)
{
    a[3] = 1;
    return 0;
}
