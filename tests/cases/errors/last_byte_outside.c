// property: memsafety
// truth: fails
// expect: refuted
// The last of four bytes lies behind the end.
extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
    char *p = malloc(7);
    *(int *)(p + 4) = 0;
    free(p);
    return 0;
}
