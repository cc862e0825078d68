// property: termination
// options: --entry count
// truth: fails
// expect: unknown(W030)
// What has a name is written by it, and through a pointer to it as well.
struct counter {
    int step;
    int *left;
};

static void reset(struct counter *counter) {
    *counter->left = 3;
}

void count(struct counter *counter) {
    int left = 3;
    counter->left = &left;
    while (left > 0) {
        left -= counter->step;
        reset(counter);
    }
}
