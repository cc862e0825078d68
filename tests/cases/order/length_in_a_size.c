// property: termination
// truth: fails
// expect: refuted
int n;

int inc(void) {
    return ++n;
}

int call(void) {
    return 0 * sizeof(int[inc()]);
}

int main(void) {
    int y = n + call();
    while (y == 1) {
    }
    return 0;
}
