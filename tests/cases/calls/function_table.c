// property: termination
// truth: holds
// expect: proved
int input(void);
static int less(int n) { return n - 1; }
static int half(int n) { return n / 2; }
int main(void) {
    int (*step)(int) = input() ? less : half;
    int n = input();
    while (n > 0) n = step(n);
    return 0;
}
