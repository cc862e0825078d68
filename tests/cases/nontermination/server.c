// property: termination
// truth: fails
// expect: unknown(W030)
// An endless loop on purpose.
int main(void) {
    for (;;)
        ;
}
