// property: termination
// truth: holds
// expect: proved
int input(void);
int odd(unsigned n);
int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
int main(void) {
    unsigned n = (unsigned)input();
    return even(n);
}
