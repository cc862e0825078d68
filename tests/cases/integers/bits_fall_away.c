// property: termination
// truth: holds
// expect: proved
int input(void);
int main(void) {
    unsigned word = (unsigned)input();
    int ones = 0;
    while (word) { ones += word & 1; word >>= 1; }
    return ones;
}
