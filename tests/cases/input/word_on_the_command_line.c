// property: memsafety
// truth: holds
// expect: proved
// why: the buffer has room for the greeting
#include <string.h>

int main(int argc, char **argv)
{
    char greeting[16];
    if (argc < 2)
        return 1;
    if (strcmp(argv[1], "hi") == 0)
        strcpy(greeting, "good morning");
    return 0;
}
