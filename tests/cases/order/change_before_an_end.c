// property: ltl
// ltl: F("x" == 1)
// truth: holds
// expect: proved
// The change has its own statement.
extern void exit(int);
int x;

static int leave(void) {
    exit(1);
    return 0;
}

static int set_x(void) {
    x = 1;
    return 0;
}

int main(void) {
    int n = set_x();
    return n + leave();
}
