// property: ctl
// ctl: EF(x == 1)
// truth: fails
// expect: refuted
// why: where `limits.most` is 0 at first, no run sets x to 1.
struct limits { int least, most; };
extern struct limits limits;
int x;

int main(void) {
    if (limits.most > 3)
        x = 1;
    for (;;) {}
}
