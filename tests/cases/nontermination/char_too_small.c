// property: termination
// truth: fails
// expect: refuted
// The counter wraps before it reaches the bound.
int main(void) {
    for (unsigned char c = 0; c < 256; c++)
        ;
    return 0;
}
