// property: reach
// truth: fails
// expect: refuted
// One byte of the number is overwritten, and not the first one.
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    int *p = malloc(sizeof(int));
    *p = 7;
    ((char *)p)[2] = 1;
    if (*p != 7)
        reach_error();
    free(p);
    return 0;
}
