// property: termination
// truth: fails
// expect: refuted
// The call that never returns may come first.
extern void exit(int);

static int spin(void) {
    while (1)
        ;
    return 0;
}

static int leave(void) {
    exit(0);
    return 0;
}

int main(void) {
    return leave() + spin();
    return 0;
}
