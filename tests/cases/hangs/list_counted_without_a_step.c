// property: termination
// truth: fails
// expect: refuted
// options: --entry count
// Whoever hands over a list that is not empty waits for ever.
struct item { struct item *next; int weight; };

unsigned count(const struct item *list)
{
    unsigned n = 0;
    while (list)
        n++;
    return n;
}
