// property: ctl
// ctl: AG(x == 3 -> EF(z == 1))
// truth: fails
// expect: unknown(W040)
// why: behind the input x is still 3, and what comes is settled. If only changes of x and z made
// why: states, there would be no such state: so this is left open.
int nondet(void);
int x = 9, z;

static int answer(void) { return nondet(); }

int main(void) {
    x = 3;
    int c = answer();
    x = 0;
    if (c == 4)
        z = 1;
    for (;;) {}
}
