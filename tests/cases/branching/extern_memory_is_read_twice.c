// property: ctl
// ctl: EF(x == 1)
// truth: fails
// expect: refuted
// why: the value behind `p` is settled at first, and stays the same.
extern int speed;
int *p = &speed;
int x;

int main(void) {
    if (*p == 0)
        if (*p != 0)
            x = 1;
    for (;;) {}
}
