// property: termination
// truth: holds
// expect: proved
int input(void);
int main(void) {
    int limit = input(), n = 1;
    while (n < limit) n = n * 3;
    return n;
}
