// property: reach
// truth: fails
// expect: refuted
// Which of the two calls comes first, C leaves open.
extern void exit(int);
void reach_error(void) {}

static int leave(void) {
    exit(0);
    return 0;
}

static int fail(void) {
    reach_error();
    return 0;
}

int main(void) {
    return leave() + fail();
}
