// property: termination
// truth: fails
// expect: refuted
int n;

int inc(void) {
    return ++n;
}

int call(void) {
    return (int (*)[inc()])0 != 0;
}

int main(void) {
    int y = n + call();
    while (y == 1) {
    }
    return 0;
}
