// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry pass
// Where `other` is there, too, what was an `a` is none when it is looked at again.
void pass(char *text, char *other, int is_same)
{
    if (is_same)
        other = text;
    while (*text) {
        int is_first = *text == 'a';
        if (is_first)
            *other = 'b';
        if (!is_first || *text == 'a')
            text++;
        if (is_first)
            *other = 'a';
    }
}
