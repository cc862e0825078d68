// property: memsafety
// truth: holds
// expect: proved

// Both strings are read to the end of the shorter one; the first character is
// read twice and the same.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static int compare(const char *left, const char *right) {
    while (*left && *left == *right) {
        left++;
        right++;
    }
    return *left - *right;
}

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 1) n = 1;
    if (m < 1) m = 1;
    char *left = malloc(n), *right = malloc(m);
    left[n - 1] = right[m - 1] = 0;
    int order = compare(left, right);
    free(left);
    free(right);
    return order < 0;
}
