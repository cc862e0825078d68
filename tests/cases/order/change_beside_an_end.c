// property: ltl
// ltl: F("x" == 1)
// truth: fails
// expect: refuted
// The program may end before the change.
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
    return set_x() + leave();
}
