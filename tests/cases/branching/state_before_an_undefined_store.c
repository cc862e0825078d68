// property: ctl
// ctl: EF(x == 5)
// truth: fails
// expect: unknown(W001)
// why: the only run is undefined behind that state, and such a run is none.
int x;

int main(void) {
    int *nothing = 0;
    x = 5;
    *nothing = 3;
    x = 6;
    for (;;) {}
}
