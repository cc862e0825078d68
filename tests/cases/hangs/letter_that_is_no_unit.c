// property: termination
// truth: fails
// expect: refuted
// why: a letter that is no unit is never passed; a round asks for more than forty things
#include <stdio.h>
#include <string.h>

static const char *units[] = { "ns", "us", "ms", "s", "min", "h", "d", "w", "mo", "y", "dec", "c" };

static int known(const char *text) {
    int total = 0;
    while (*text != '\0') {
        for (int i = 0; i < 12; i++) {
            size_t length = strlen(units[i]);
            if (strncmp(text, units[i], length) == 0) {
                total = (total + i) & 255;
                text += length;
                break;
            }
        }
    }
    return total;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        printf("%d\n", known(argv[i]));
    return 0;
}
