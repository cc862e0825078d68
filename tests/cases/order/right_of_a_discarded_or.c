// property: termination
// truth: fails
// expect: refuted
// Nobody uses whether one is so, and the right one is not asked where the left one is.
int waits = 1;

static int done(void) {
    waits = 0;
    return 1;
}

int main(void) {
    waits || done();
    while (waits) {
    }
    return 0;
}
