// property: termination
// truth: fails
// expect: unknown(W020)
// Runs come to no `case` from above: that it is not modelled was lost there.
int main(void) {
    switch (16) {
    case sizeof(double _Complex):
        while (1) {}
    }
    return 0;
}
