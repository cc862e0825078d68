// property: ctl
// ctl: AF(x == 1) || AF(x == 2)
// truth: holds
// expect: unknown(W040)
// why: what the array holds is settled before `main`, and with it the only run.
extern int table[4];
int x;

int main(void) {
    if (table[2] > 1)
        x = 1;
    else
        x = 2;
    for (;;) {}
}
