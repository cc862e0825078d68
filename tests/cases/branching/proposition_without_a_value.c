// property: ctl
// ctl: EF(AG(x + 1 == 5))
// truth: fails
// expect: unknown(W040)
// why: x + 1 has no value, so it is not 5 either.
int x = 2147483647;

int main(void) {
    for (;;) {}
}
