// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry pass
// Where both are the same place, the function writes over what was seen.
static void mark(char *place, int n)
{
    while (n-- > 0)
        *place = 'b';
}

void pass(char *text, char *other, int is_same)
{
    if (is_same)
        other = text;
    while (*text) {
        int is_first = *text == 'a';
        if (is_first)
            mark(other, 2);
        if (!is_first || *text == 'a')
            text++;
        if (is_first)
            *other = 'a';
    }
}
