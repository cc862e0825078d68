// property: memsafety
// truth: holds
// expect: proved

// What is written lies before the zero, so the zero stays.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2) n = 2;
    char *text = malloc(n);
    for (int i = 0; i < n; i++) text[i] = 'x';
    text[n - 1] = '\0';
    for (int i = 0; text[i]; i++) text[i] = 'y';
    free(text);
    return 0;
}
