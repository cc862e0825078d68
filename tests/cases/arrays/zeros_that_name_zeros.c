// property: termination
// truth: fails
// expect: refuted
// why: nothing but zeros and small uses are added up, and the sum may be none.
extern int __VERIFIER_nondet_int(void);

static int sum;
static int zero[8];
static struct { short most; char last; } pair[5];
static struct { int key, uses; } slot[4];

int main(void) {
    int at = 2, row = 3, key = 0;
    for (int i = 0; i < 5; i++) {
        pair[i].last = i;
        slot[key & 3].key = 0;
    }
    slot[row].uses = __VERIFIER_nondet_int() & 3;
    for (int i = 0; i < 5; i++) {
        if (__VERIFIER_nondet_int() > 3)
            break;
        if (zero[at & 7] >= 0 && zero[at & 7] < 8)
            zero[zero[at & 7]] = row & 7;
        if (zero[at & 7] >= 0 && zero[at & 7] < 8)
            zero[zero[at & 7]] = key & 7;
        if (at >= 0 && at < 5)
            at = pair[at].last;
    }
    for (int i = 0; i < 4; i++)
        sum += slot[i].uses & 7;
    if (sum == 0)
        for (;;)
            ;
    return 0;
}
