// property: ctl
// ctl: AG(x == 3 -> EF(z == 1))
// truth: fails
// expect: refuted
// why: what leads to z == 1 would have to be chosen before x == 3.
int nondet(void);
int x = 9, z;

int main(void) {
    x = nondet();
    if (x == 4)
        z = 1;
    x = 0;
    for (;;) {}
}
