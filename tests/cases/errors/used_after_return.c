// property: memsafety
// truth: fails
// expect: refuted
// What a call has allocated on the stack is gone when it has returned.

static int *on_the_stack(void) {
    int *p = __builtin_alloca(sizeof(int));
    return p;
}

int main(void) {
    int *p = on_the_stack();
    *p = 1;
    return 0;
}
