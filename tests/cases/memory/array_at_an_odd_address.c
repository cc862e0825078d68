// property: reach
// truth: fails
// expect: unknown(W012)
// An array of bytes may lie anywhere on the stack.
extern void reach_error(void);

int main(void) {
    char a[8];
    if ((unsigned long)a & 1)
        reach_error();
    return 0;
}
