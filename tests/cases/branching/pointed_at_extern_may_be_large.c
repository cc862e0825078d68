// property: ctl
// ctl: EF(x == 2)
// truth: fails
// expect: refuted
// why: from the initial states with `speed` above 10 only x == 1 is reached.
extern int speed;
int *p = &speed;
int x;

int main(void) {
    x = *p > 10 ? 1 : 2;
    for (;;) {}
}
