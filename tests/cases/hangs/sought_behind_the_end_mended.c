// property: termination
// truth: holds
// expect: proved
// options: --entry position
// The end of the text ends the search, too.
long position(const char *text, char sought)
{
    const char *at = text;
    while (*at != sought) {
        if (*at == '\0')
            return -1;
        at++;
    }
    return at - text;
}
