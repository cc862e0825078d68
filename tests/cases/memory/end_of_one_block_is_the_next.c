// property: reach
// truth: fails
// expect: unknown(W012)
// The address behind one block may be that of another.
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    char *p = malloc(8), *q = malloc(8);
    if (p + 8 == q)
        reach_error();
    free(p);
    free(q);
    return 0;
}
