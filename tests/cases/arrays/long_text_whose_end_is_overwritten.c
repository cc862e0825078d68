// property: memsafety
// truth: fails
// expect: refuted
// A row of words gets another separator, one character too far: nothing ends the text any more.

int __VERIFIER_nondet_int(void);

int main(void) {
    char own[] = "several words that are longer";
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at > 29) {
        return 0;
    }
    own[at] = '_';
    int n = 0;
    while (own[n]) {
        n++;
    }
    return n;
}
