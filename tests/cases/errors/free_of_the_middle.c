// property: memsafety
// truth: fails
// expect: refuted
// Memory is freed by the address of its start only.
extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
    int *a = malloc(2 * sizeof(int));
    free(a + 1);
    return 0;
}
