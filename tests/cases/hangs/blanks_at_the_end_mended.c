// property: termination
// truth: holds
// expect: proved
// options: --entry trim
// The last blank goes, and the end with it.
void trim(char *text)
{
    char *end = text;
    while (*end)
        end++;
    while (end > text && end[-1] == ' ')
        *--end = '\0';
}
