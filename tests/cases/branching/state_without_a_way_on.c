// property: ctl
// ctl: EF(AG(x == 1))
// truth: fails
// expect: unknown(W040)
// why: x is 1 only where an assumption fails: no run is there, and what holds of all of none is
// nothing.
int nondet(void);
void __VERIFIER_assume(int);
int x;

int main(void) {
    if (nondet()) {
        x = 1;
        __VERIFIER_assume(0);
    }
    for (;;) {}
}
