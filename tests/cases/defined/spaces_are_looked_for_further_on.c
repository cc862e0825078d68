// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry words
// It is not the same character that the inner loop begins with.
int words(const char *text, int length)
{
    int n = 0;
    for (int i = 0, k = 0; i < length;) {
        if (text[i] == ' ') {
            k = n;
            while (i < length && text[k] == ' ') {
                i++;
                k++;
            }
            n++;
        } else {
            i++;
        }
        n &= 1;
    }
    return n;
}
