// property: memsafety
// truth: holds
// expect: proved
// options: --entry compare
// Paths that meet are joined with those that know as much of what is 0.
int compare(const char *left, const char *right)
{
    unsigned char a, b;
    do {
        a = *left++;
        b = *right++;
        if (a >= 'A' && a <= 'Z') a += 'a' - 'A';
        if (b >= 'A' && b <= 'Z') b += 'a' - 'A';
    } while (a && a == b);
    return a - b;
}
