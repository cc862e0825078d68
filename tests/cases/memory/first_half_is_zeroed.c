// property: reach
// truth: fails
// expect: refuted
// What lies behind the bytes that are zeroed stays.
extern void *malloc(unsigned long);
extern void free(void *);
extern void *memset(void *, int, unsigned long);
extern void reach_error(void);

int main(void) {
    int *a = malloc(2 * sizeof(int));
    a[1] = 7;
    memset(a, 0, sizeof(int));
    if (a[1] != 0)
        reach_error();
    free(a);
    return 0;
}
