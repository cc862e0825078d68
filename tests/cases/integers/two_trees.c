// property: termination
// truth: holds
// expect: proved
int input(void);
int main(void) {
    int x = input(), y = input(), z = input();
    while (x > 0) {
        if (input()) { x += y; y--; }
        else { x += z; z--; }
    }
    return 0;
}
