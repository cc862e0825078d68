// property: memsafety
// truth: fails
// expect: unknown(W006)
// The function behind the pointer ends the program, if the division does not come first.
extern void exit(int);

static int leave(void) {
    exit(0);
    return 0;
}

static int (*handler)(void) = leave;

int main(void) {
    int none = 0;
    return handler() + 1 / none;
}
