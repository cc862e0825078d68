// property: memsafety
// truth: fails
// expect: refuted
// The limit is behind the end of the block.
extern void *malloc(unsigned long);
extern void free(void *);
extern unsigned long strnlen(const char *, unsigned long);

int main(void) {
    char *p = malloc(4);
    strnlen(p, 8);
    free(p);
    return 0;
}
