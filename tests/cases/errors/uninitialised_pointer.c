// property: termination
// truth: holds
// expect: unknown(W002)
// The pointer was never set.
int main(void) {
    int *p;
    return *p;
}
