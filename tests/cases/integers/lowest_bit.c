// property: termination
// truth: holds
// expect: proved
int input(void);
int main(void) {
    unsigned word = (unsigned)input();
    while (word) word &= word - 1;
    return 0;
}
