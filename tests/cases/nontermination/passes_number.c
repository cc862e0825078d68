// property: termination
// truth: fails
// expect: refuted
// options: --int-model=math
int main(void) {
    int n = 99;
    while (n != 100) n--;
    return 0;
}
