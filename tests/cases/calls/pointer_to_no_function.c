// property: termination
// truth: fails
// expect: unknown(W007)
// No run that C defines leaves the loop, and none goes round it.
int main(void)
{
    void (*step)(void) = 0;
    for (;;)
        step();
}
