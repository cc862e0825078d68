// property: ctl
// ctl: AG(x < 5)
// truth: holds
// expect: unknown(W006)
// why: no run with x == 5 goes on: C does not define what the division does.
int nondet(void);
int x;

int main(void) {
    int zero = 0;
    x = 5;
    x = 7 / zero;
    for (;;) {}
}
