// property: termination
// truth: fails
// expect: unknown(?)
// An endless loop on purpose.
int main(void) {
    for (;;)
        ;
}
