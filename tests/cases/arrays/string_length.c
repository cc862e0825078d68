// property: termination
// truth: holds
// expect: proved

// The zero at the end is at an index that the program does not know.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static int length(const char *text) {
    const char *at = text;
    while (*at) at++;
    return (int)(at - text);
}

int main(void) {
    int room = __VERIFIER_nondet_int();
    if (room < 1) room = 1;
    char *text = malloc(room);
    text[room - 1] = '\0';
    int n = length(text);
    free(text);
    return n;
}
