// property: termination
// truth: fails
// expect: unknown(W020)
// Nothing orders the change and the use.

int main(void) {
    int x = 1;
    int y = x + x++;
    while (y != 2)
        ;
    return 0;
}
