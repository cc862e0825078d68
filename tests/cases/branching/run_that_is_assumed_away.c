// property: ctl
// ctl: AG(x == 4 || x == 5)
// truth: holds
// expect: proved
// why: a run with another x ends in an assumption that fails, and is none.
int nondet(void);
void __VERIFIER_assume(int);
int x = 4;

int main(void) {
    for (;;) {
        x = nondet();
        __VERIFIER_assume(x == 4 || x == 5);
    }
}
