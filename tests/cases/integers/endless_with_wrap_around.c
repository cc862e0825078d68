// property: termination
// truth: fails
// expect: refuted
// Each run overflows `steps`, and the loop does not look at it.
int main(void) {
    int done = 0, steps = 0;
    while (done == 0) {
        steps++;
    }
    return steps;
}
