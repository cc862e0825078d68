// property: ltl
// ltl: G(ready == 0)
// truth: holds
// expect: unknown(W030)
//
// The recursion has no end and passes no loop: it is observed where it begins again.

int ready;

static int again(int n)
{
    return again(n + 1);
}

int main(void)
{
    int x = again(0);
    ready = 1;
    return x;
}
