// property: termination
// truth: holds
// expect: proved
int input(void);
int main(void) {
    int n = input(), root = 0;
    while (root * root <= n) root++;
    return root;
}
