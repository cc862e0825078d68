// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry pass
// What was seen is written over before the inner loop looks, where both are the same place.
void pass(const char *text, char *other)
{
    while (*text) {
        if (*text == 'a') {
            *other = 'b';
            while (*text == 'a')
                text++;
            *other = 'a';
        } else {
            text++;
        }
    }
}
