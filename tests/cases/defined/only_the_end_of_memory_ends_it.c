// property: termination
// truth: fails
// expect: unknown(W003)
// options: --entry fill
// No run that C defines leaves the loop.
void fill(char *to)
{
    for (;;)
        *to++ = 0;
}
