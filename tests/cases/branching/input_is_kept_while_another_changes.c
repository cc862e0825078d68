// property: ctl
// ctl: AG(x == 5 -> EF(y == 1))
// truth: fails
// expect: unknown(W040)
// why: behind the input there is a state in which x is still 5, and what comes is settled; but
// why: whether that counts as a state, where nothing has changed that is asked for, is left open.
int nondet(void);
int x, y;

int main(void) {
    x = 5;
    int t = nondet();
    x = 0;
    if (t == 1)
        y = 1;
    for (;;) {}
}
