// property: reach
// truth: fails
// expect: unknown(W012)
// The low byte of an address may be 0.
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    char *p = malloc(8);
    if ((unsigned char)(unsigned long)p == 0)
        reach_error();
    free(p);
    return 0;
}
