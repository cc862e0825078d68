// property: reach
// truth: fails
// expect: refuted
// The block was zero once; but the word that one byte is cut out of was not.
void *calloc(unsigned long, unsigned long);
void free(void *);
void reach_error(void);

int main(void)
{
    char *bytes = calloc(2, 8);
    *(long *)bytes = -1;
    bytes[0] = 0;
    if (bytes[3] != 0)
        reach_error();
    free(bytes);
    return 0;
}
