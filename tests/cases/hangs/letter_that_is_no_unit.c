// property: termination
// truth: fails
// expect: refuted
// why: a letter that is no unit is never passed
#include <stdio.h>
#include <string.h>

static const char *units[] = { "h", "min", "s" };

static long seconds(const char *text) {
    long total = 0;
    while (*text != '\0') {
        for (int i = 0; i < 3; i++) {
            size_t length = strlen(units[i]);
            if (strncmp(text, units[i], length) == 0) {
                total += i == 0 ? 3600 : i == 1 ? 60 : 1;
                text += length;
                break;
            }
        }
    }
    return total;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        printf("%ld\n", seconds(argv[i]));
    return 0;
}
