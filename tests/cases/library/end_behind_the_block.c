// property: memsafety
// truth: fails
// expect: refuted
// All bytes of the block are not zero.
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
extern unsigned long strlen(const char *);

int main(void) {
    char *p = calloc(2, 1);
    p[0] = 'a';
    p[1] = 'b';
    strlen(p);
    free(p);
    return 0;
}
