// property: memsafety
// truth: holds
// expect: proved
// options: --entry write
// For each byte that is read, two are written, and one behind all of them.
void write(char *to, const unsigned char *from, unsigned long n)
{
    static const char digits[] = "0123456789abcdef";
    for (unsigned long i = 0; i < n; i++) {
        *to++ = digits[from[i] >> 4];
        *to++ = digits[from[i] & 15];
    }
    *to = 0;
}
