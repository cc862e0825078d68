// property: memsafety
// truth: fails
// expect: unknown(W010)
// Between the two assignments nothing leads to the block; a distance of blocks does not.
extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
    char *q = malloc(8), *p = malloc(8);
    long distance = p - q;
    p = 0;
    p = q + distance;
    free(p);
    free(q);
    return 0;
}
