// property: memsafety
// truth: fails
// expect: refuted
// The text begins before the block.
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
extern unsigned long strlen(const char *);

int main(void) {
    char *p = calloc(4, 1);
    strlen(p - 1);
    free(p);
    return 0;
}
