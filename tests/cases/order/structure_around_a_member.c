// property: termination
// truth: fails
// expect: refuted
// The call may write the structure before its member is read, or after.
struct point {
    int x;
};
struct shape {
    int kind;
    struct point at;
} shape;

int move(void) {
    shape.at = (struct point){ 1 };
    return 0;
}

int pair(int left, int right) {
    return 10 * left + right;
}

int main(void) {
    while (pair(shape.at.x, move()) == 10) {
    }
    return 0;
}
