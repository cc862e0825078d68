// property: termination
// truth: holds
// expect: proved
// Functions have addresses of their own.
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }

int main(void) {
    int (*first)(int) = twice;
    int (*second)(int) = thrice;
    while (first == second || !first || (unsigned long)second == 0) {
    }
    return 0;
}
