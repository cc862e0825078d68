// property: termination
// truth: fails
// expect: refuted
// options: --int-model=math
// Either call may be the first.

static int next(void) {
    static int counter;
    return counter++;
}

static int difference(int a, int b) {
    return a - b;
}

int main(void) {
    while (difference(next(), next()) == 1)
        ;
    return 0;
}
