// property: termination
// truth: fails
// expect: unknown(W030)
// The upper half of an address is lost.
int main(void) {
    char buffer[16];
    unsigned long number = (unsigned long)buffer;
    while (((number << 40) >> 40) != number) {
    }
    return 0;
}
