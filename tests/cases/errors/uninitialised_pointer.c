// property: termination
// truth: holds
// expect: proved
// The pointer was never set.
int main(void) {
    int *p;
    return *p;
}
