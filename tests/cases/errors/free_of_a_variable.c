// property: memsafety
// truth: fails
// expect: refuted
// A variable is no memory to be freed.
extern void free(void *);

int main(void) {
    static int x = 1;
    free(&x);
    return 0;
}
