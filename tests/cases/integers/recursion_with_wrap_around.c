// property: termination
// truth: fails
// expect: refuted
static int deeper(int level) {
    return 1 + deeper(level + 1);
}

int main(void) {
    return deeper(0);
}
