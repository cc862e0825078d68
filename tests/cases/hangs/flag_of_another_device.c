// property: termination
// truth: fails
// expect: unknown
// options: --entry await
// What is volatile may change at any time.
void await(volatile int *flag)
{
    while (!*flag)
        ;
}
