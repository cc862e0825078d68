// property: memsafety
// truth: fails
// expect: refuted
// why: the same element may be written twice, and keep the larger key
int input(void);
static struct { int key; int low; } t[6];
static int use[6];
int main(void) {
    for (;;) {
        int i = input(), j = input();
        if (i < 0 || j < 0) break;
        if (i >= 6 || j >= 6) continue;
        t[i].key = i; t[i].low = 2;
        t[j].key = 0; t[j].low = 5;
        if (input()) t[i].key = 7;
    }
    int k = input();
    if (k < 0 || k >= 6) return 0;
    return use[t[k].key];
}
