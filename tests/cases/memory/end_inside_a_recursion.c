// property: memcleanup
// truth: fails
// expect: refuted
// The program ends in a call, when its caller still has memory.
extern void *malloc(unsigned long);
extern void free(void *);
extern void exit(int);

static void down(int n) {
    if (n <= 0)
        exit(0);
    down(n - 1);
}

int main(void) {
    char *p = malloc(8);
    down(5);
    free(p);
    return 0;
}
