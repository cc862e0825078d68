// property: reach
// truth: fails
// expect: refuted
// Of four bytes the first one is 5, and the word is not.
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void) {
    unsigned char *bytes = malloc(4);
    bytes[0] = 5;
    bytes[1] = 1;
    bytes[2] = 0;
    bytes[3] = 0;
    if (*(int *)bytes != 5)
        reach_error();
    free(bytes);
    return 0;
}
