// property: termination
// truth: holds
// expect: unknown(W035)
// The smallest integer has no quotient by -1.
int main(void) {
    int x = -2147483647 - 1, y = -1;
    int quotient = x / y;
    if (quotient < 0)
        for (;;)
            ;
    return 0;
}
