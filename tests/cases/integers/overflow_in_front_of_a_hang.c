// property: termination
// truth: holds
// expect: unknown(W035)
// No run that C defines comes to the loop, and with wrap-around it is no round that overflows.
int main(void) {
    int x = 2147483647;
    if (x + 1 < 0)
        for (;;)
            ;
    return 0;
}
