// property: ctl
// ctl: AG(x == 0 -> EF(z == 1))
// truth: holds
// expect: proved
// why: x is 3 while the input is read, and there is another one in the next round.
int nondet(void);
int x, z;

static int answer(void) { return nondet(); }

int main(void) {
    for (;;) {
        x = 3;
        z = answer() == 4;
        x = 0;
    }
}
