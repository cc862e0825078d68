// property: memsafety
// truth: fails
// expect: refuted
// why: eight bytes at one element reach into the next, which is no index then
int input(void);
static int small[8];
static int use[4];
int main(void) {
    for (;;) {
        int i = input();
        if (i < 0) break;
        if (i >= 7) continue;
        if (input()) *(long long *)&small[i] = 900ll << 32;
        else small[i] = i & 3;
    }
    int k = input();
    if (k < 0 || k >= 8) return 0;
    return use[small[k]];
}
