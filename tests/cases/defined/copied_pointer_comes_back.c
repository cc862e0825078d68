// property: termination
// truth: fails
// expect: refuted
// options: --entry count
// The copy moves, and is made anew in each round.
int count(const char *from)
{
    int n = 0;
    while (*from) {
        const char *at = from;
        at++;
        n += *at == 'x';
    }
    return n;
}
