// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry rounds
// A step of zero never comes to the end, but nobody is known to ask for one.
struct range { int step; };

int rounds(const struct range *range, int end)
{
    int n = 0;
    for (int at = 0; at < end; at += range->step)
        n++;
    return n;
}
