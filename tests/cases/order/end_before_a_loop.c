// property: memcleanup
// truth: fails
// expect: refuted
// The call that ends the program may come first.
extern void *malloc(unsigned long);
extern void exit(int);

static int spin(void) {
    while (1)
        ;
    return 0;
}

static int leave(void) {
    exit(0);
    return 0;
}

int main(void) {
    char *p = malloc(8);
    return *p + (spin() + leave());
    return 0;
}
