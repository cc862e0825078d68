// property: termination
// truth: fails
// expect: unknown(W003)
// One element too many.
int main(void) {
    int table[4];
    for (int i = 0; i <= 4; i++)
        table[i] = 0;
    return 0;
}
