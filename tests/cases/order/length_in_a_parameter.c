// property: termination
// truth: fails
// expect: refuted
int n;

int inc(void) {
    return ++n;
}

int call(int k, int a[inc()]) {
    return 0;
}

int main(void) {
    int b[1]; int y = n + call(1, b);
    while (y == 1) {
    }
    return 0;
}
