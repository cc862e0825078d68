// property: termination
// truth: holds
// expect: proved
// Nobody uses whether both are so, but the right one does something.
int waits = 1;

static int done(void) {
    waits = 0;
    return 1;
}

int main(void) {
    waits && done();
    while (waits) {
    }
    return 0;
}
