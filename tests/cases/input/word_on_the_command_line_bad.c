// property: memsafety
// truth: fails
// expect: refuted
// why: the greeting is longer than the buffer, and only one word leads to it
#include <string.h>

int main(int argc, char **argv)
{
    char greeting[8];
    if (argc < 2)
        return 1;
    if (strcmp(argv[1], "hi") == 0)
        strcpy(greeting, "good morning");
    return 0;
}
