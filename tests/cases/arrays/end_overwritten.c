// property: memsafety
// truth: fails
// expect: refuted

// The zero at the end is written over when the index is the last one.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), at = __VERIFIER_nondet_int();
    if (n < 1 || n > 4 || at < 0 || at >= n) return 0;
    char *text = malloc(n);
    for (int i = 0; i < n; i++) text[i] = 'x';
    text[n - 1] = '\0';
    text[at] = 'y';
    int i = 0;
    while (text[i]) i++;
    free(text);
    return i;
}
