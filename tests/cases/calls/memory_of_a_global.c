// property: termination
// truth: holds
// expect: proved
// The recursion writes to memory that a global leads to.
extern void *malloc(unsigned long);
extern void free(void *);

static int *cell;

static void count(int n) {
    if (n <= 0)
        return;
    *cell = n;
    count(n - 1);
}

int main(void) {
    cell = malloc(sizeof(int));
    count(3);
    free(cell);
    return 0;
}
