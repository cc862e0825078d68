// property: memcleanup
// truth: fails
// expect: refuted
// Each call loses memory.
extern void *malloc(unsigned long);

static void lose(int n) {
    if (n <= 0)
        return;
    malloc(8);
    lose(n - 1);
}

int main(void) {
    lose(3);
    return 0;
}
