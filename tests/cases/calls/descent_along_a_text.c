// property: memsafety
// truth: holds
// expect: proved
// Procedures that call each other move one cursor along a text, to its end at most.
#include <stdio.h>

static const char *at;
static int n_errors;

static int sum(void);

static int atom(void) {
    int value = 0;
    if (*at == '[') {
        at++;
        value = sum();
        if (*at == ']') {
            at++;
        } else {
            n_errors = 1;
        }
        return value;
    }
    while (*at >= '0' && *at <= '9') {
        value = (value + *at - '0') % 1000;
        at++;
    }
    return value;
}

static int sum(void) {
    int value = atom();
    while (n_errors == 0 && *at == '+') {
        at++;
        value = (value + atom()) % 1000;
    }
    return value;
}

int main(void) {
    char line[80];
    if (fgets(line, sizeof line, stdin)) {
        at = line;
        printf("%d\n", sum());
    }
    return 0;
}
