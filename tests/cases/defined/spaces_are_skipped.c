// property: termination
// truth: holds
// expect: proved
// options: --entry words
// Where a space was seen, the inner loop goes round once at least.
int words(const char *text, int length)
{
    int n = 0;
    for (int i = 0; i < length;) {
        if (text[i] == ' ') {
            while (i < length && text[i] == ' ')
                i++;
            n++;
        } else {
            i++;
        }
    }
    return n;
}
