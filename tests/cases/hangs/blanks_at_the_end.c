// property: termination
// truth: fails
// expect: refuted
// options: --entry trim
// The last blank is overwritten behind itself, and stays.
void trim(char *text)
{
    char *end = text;
    while (*end)
        end++;
    while (end > text && end[-1] == ' ')
        *end = '\0';
}
