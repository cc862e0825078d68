// property: termination
// truth: fails
// expect: refuted
int n;

int set(void) {
    extern int n;
    n = 1;
    return 0;
}

int main(void) {
    while (n + set() == 1) {
    }
    return 0;
}
