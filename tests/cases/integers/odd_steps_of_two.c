// property: termination
// truth: fails
// expect: refuted
// From an odd number 0 is not met, though it is passed; wrapping around changes nothing.
int main(void) {
    int n = 7;
    while (n != 0) {
        n -= 2;
    }
    return 0;
}
