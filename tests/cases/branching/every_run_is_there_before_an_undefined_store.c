// property: ctl
// ctl: AF(x == 5)
// truth: holds
// expect: proved
// why: x is 5 before anything undefined is done.
int x;

int main(void) {
    int *nothing = 0;
    x = 5;
    *nothing = 3;
    for (;;) {}
}
