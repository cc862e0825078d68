// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry same
// The shorter word is read on behind its end.
int same(const char *left, const char *right)
{
    unsigned char a, b;
    do {
        a = *left++;
        b = *right++;
        if (a >= 'A' && a <= 'Z') a += 'a' - 'A';
    } while (a || b);
    return 1;
}
