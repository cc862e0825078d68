// property: ctl
// ctl: AG(AF(x == 0)) && EF(x == 1)
// truth: holds
// expect: proved
// why: whatever the array holds, x is 1 once a round and 0 once a round.
extern int table[4];
int x;

int main(void) {
    for (;;) {
        x = table[1] > 5;
        x = 1;
        x = 0;
    }
}
