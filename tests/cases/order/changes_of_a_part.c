// property: memsafety
// truth: fails
// expect: unknown(W009)
// why: `p[1]` is a byte of the number that the right side changes.
struct counter {
    char name[4];
    int count;
};
int main(void)
{
    struct counter it = {"abc", 0};
    char *p = (char *)&it.count;
    p[1] = it.count++;
    return 0;
}
