// property: ltl
// ltl: G("x" == 0 || "y" == 1)
// truth: fails
// expect: refuted
// `x` may be set first.
int x, y;

static int set_x(void) {
    x = 1;
    return 0;
}

static int set_y(void) {
    y = 1;
    return 0;
}

int main(void) {
    return set_y() + set_x();
}
