// property: termination
// truth: holds
// expect: proved
// options: --entry spread
// The question is about one function, with arbitrary arguments.
int spread(int from, int to) {
    int steps = 0;
    while (from < to) {
        from += 2;
        steps++;
    }
    return steps;
}

int main(void) {
    for (;;)
        spread(0, 1);
}
