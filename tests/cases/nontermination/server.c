// property: termination
// truth: fails
// expect: refuted
// An endless loop on purpose.
int main(void) {
    for (;;)
        ;
}
