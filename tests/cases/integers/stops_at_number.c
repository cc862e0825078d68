// property: termination
// truth: holds
// expect: proved
int main(void) {
    int n = 300;
    while (n != 100) n--;
    return 0;
}
