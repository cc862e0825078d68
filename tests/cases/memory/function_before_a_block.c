// property: reach
// truth: fails
// expect: unknown(W012)
// A function may lie before the block.
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    char *p = malloc(8);
    if ((char *)main == p - 8)
        reach_error();
    free(p);
    return 0;
}
