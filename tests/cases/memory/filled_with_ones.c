// property: reach
// truth: fails
// expect: refuted
// Bytes that are 1 make no word that is 0.
extern void *malloc(unsigned long);
extern void free(void *);
extern void *memset(void *, int, unsigned long);
extern void reach_error(void);

int main(void) {
    int *a = malloc(2 * sizeof(int));
    memset(a, 1, 2 * sizeof(int));
    if (a[1] != 0)
        reach_error();
    free(a);
    return 0;
}
