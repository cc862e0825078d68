// property: termination
// truth: fails
// expect: unknown(W020)
// One call may come between another one and its argument.

static int state;

static int one(void) {
    state = 1;
    return 0;
}

static int two(void) {
    if (state == 1)
        state = 2;
    return 0;
}

static int is_two(int unused) {
    return state == 2 + unused;
}

int main(void) {
    while (is_two(one()) + two() == 1)
        ;
    return 0;
}
