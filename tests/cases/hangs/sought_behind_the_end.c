// property: termination
// truth: fails
// expect: refuted
// options: --entry position
// The end of the text is met, and nothing is done about it.
long position(const char *text, char sought)
{
    const char *at = text;
    while (*at != sought) {
        if (*at == '\0')
            continue;
        at++;
    }
    return at - text;
}
