// property: termination
// truth: holds
// expect: proved
// The pointer moves along the array, to its end.
extern void *malloc(unsigned long);

int main(void) {
    char a[64];
    char *p = a;
    while (p - a < 64)
        p = p + 1;
    char *q = p;
    while (q != a)
        q = q - 1;
    return 0;
}
