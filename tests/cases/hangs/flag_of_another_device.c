// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry await
// What is volatile may change at any time.
void await(volatile int *flag)
{
    while (!*flag)
        ;
}
