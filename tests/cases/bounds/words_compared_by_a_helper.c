// property: memsafety
// truth: holds
// expect: proved
// options: --entry same
static int small(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

int same(const char *left, const char *right)
{
    for (;; left++, right++) {
        int a = small(*left), b = small(*right);
        if (a != b) return 0;
        if (a == 0) return 1;
    }
}
