// property: termination
// truth: fails
// expect: unknown(W030)
// Memory starts at a multiple of 16, which need not be one of 32.
extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
    char *p = malloc(8);
    while (((unsigned long)p & 31) == 16)
        ;
    free(p);
    return 0;
}
