// property: memsafety
// truth: holds
// expect: proved
// What is written lies in one object and the text in another one.
#include <stdio.h>

struct entry {
    char kind[8];
    char name[32];
};

int main(int argc, char **argv) {
    struct entry entry;
    if (argc < 2)
        return 1;
    snprintf(entry.name, sizeof entry.name, "%s", argv[1]);
    puts(entry.name);
    return 0;
}
