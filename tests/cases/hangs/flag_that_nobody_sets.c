// property: termination
// truth: fails
// expect: refuted
// options: --entry await
// Nobody else changes what is not volatile.
void await(int *flag)
{
    while (!*flag)
        ;
}
