// property: memsafety
// truth: fails
// expect: refuted
// The array has room for the characters, but not for the zero behind them.

static int length(const char *text) {
    int n = 0;
    while (*text) {
        n++;
        text++;
    }
    return n;
}

int main(void) {
    char own[26] = "abcdefghijklmnopqrstuvwxyz";
    return length(own);
}
