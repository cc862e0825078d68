// property: termination
// truth: holds
// expect: unknown(W035)
// The sum that overflows is made while the call of the loop is not active yet.
static void wait(int below) {
    while (below < 0)
        ;
}

int main(void) {
    int x = 2147483647;
    wait(x + 1);
    return 0;
}
