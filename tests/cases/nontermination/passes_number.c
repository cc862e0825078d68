// property: termination
// truth: fails
// expect: refuted
int main(void) {
    int n = 99;
    while (n != 100) n--;
    return 0;
}
