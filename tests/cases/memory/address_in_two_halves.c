// property: memsafety
// truth: holds
// expect: unknown(W010)
// The two halves of the address are kept.
extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);

static char bytes[8];

int main(void) {
    char *p = malloc(8);
    memcpy(bytes, &p, 4);
    memcpy(bytes + 4, (char *)&p + 4, 4);
    p = 0;
    return 0;
}
