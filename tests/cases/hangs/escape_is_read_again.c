// property: termination
// truth: fails
// expect: refuted
// options: --entry length
// What stands behind a backslash is to be left out, and the backslash is read again.
int length(const char *text)
{
    int i = 0;
    while (text[i]) {
        if (text[i] == '\\') {
            i = i + 0;
            continue;
        }
        i++;
    }
    return i;
}
