// property: memsafety
// truth: holds
// expect: proved

/* Lengths by conditions that hold casts, `_Generic` and builtins: 4, 3, 2 and 8 elements. */
enum { THREE = ((char) 2 > 1) ? 3 : 1 };
int a[((long) -1 < 0) ? 4 : 1];
int b[THREE];
int c[_Generic(1L, int: 1, long: (char) 2, default: 1)];
int d[1 << __builtin_popcount(7)];

int main(void)
{
    for (int i = 0; i < 4; i++)
        a[i] = 1;
    for (int i = 0; i < 3; i++)
        b[i] = 1;
    for (int i = 0; i < 2; i++)
        c[i] = 1;
    for (int i = 0; i < 8; i++)
        d[i] = 1;
    return 0;
}
