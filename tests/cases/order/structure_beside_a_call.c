// property: termination
// truth: fails
// expect: unknown(W020)
// The structure may be copied before the call changes it, or after.
struct pair {
    int a, b;
} source = { 1, 2 };

int set(void) {
    source.a = 5;
    return 1;
}

int main(void) {
    struct {
        struct pair pair;
        int rest;
    } copy = { source, set() };
    while (copy.pair.a == 1) {
    }
    return 0;
}
