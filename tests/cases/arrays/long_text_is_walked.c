// property: memsafety
// truth: holds
// expect: proved
// A text that is longer than what is known of single bytes: where it ends stays known, of one
// that may be written as of one that may not.
#include <stdio.h>

static int count(const char *text, char wanted) {
    int n = 0;
    while (*text) {
        if (*text == wanted) {
            n++;
        }
        text++;
    }
    return n;
}

int main(void) {
    char own[] = "a row of several words and one more";
    int n = count(own, 'a') + count("another row of words that never changes", 'o');
    for (int i = 0; i < 100; i++) {
        printf("%d\n", n);
    }
    for (int i = 0; own[i] != 0; i++) {
        if (own[i] == ' ') {
            own[i] = '_';
        }
    }
    return count(own, '_');
}
