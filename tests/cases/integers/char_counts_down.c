// property: termination
// truth: holds
// expect: proved
int input(void);
int main(void) {
    unsigned char c = (unsigned char)input();
    while (c != 0) c = c - 1;
    return 0;
}
