// property: termination
// truth: fails
// expect: unknown(W020)
// The structure is only read, and what it points at is written.
struct place {
    int *number;
};

extern void visit(const struct place *place);

int main(void) {
    int n = 0;
    struct place place = { &n };
    visit(&place);
    while (n) {
    }
    return 0;
}
