// property: termination
// truth: fails
// expect: refuted
// The call may write the variable before it is read.

static int set(int *x) {
    *x = 2;
    return 0;
}

int main(void) {
    int x = 1;
    int y = x + set(&x);
    while (y == 2)
        ;
    return 0;
}
