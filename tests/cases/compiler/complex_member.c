// property: termination
// truth: fails
// expect: unknown(W020)
// A complex number has two parts.
struct wave {
    char kind;
    double _Complex value;
};

int main(void) {
    while (sizeof(struct wave) == 24) {
    }
    return 0;
}
