// property: termination
// truth: fails
// expect: refuted
union word {
    int whole;
    int first;
} word;

int set(void) {
    word.first = 1;
    return 0;
}

int pair(int left, int right) {
    return 10 * left + right;
}

int main(void) {
    while (pair(word.whole, set()) == 10) {
    }
    return 0;
}
