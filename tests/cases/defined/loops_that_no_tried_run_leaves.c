// property: termination
// truth: holds
// expect: proved
//
// To get behind the loops, the program wants two arguments of the right kind. Whatever memory
// holds, the loops end, so no run has to be seen behind them.

#include <stdlib.h>
#include <string.h>

static long sum_of(const char *text, const char *wanted)
{
    char copy[64];
    long sum = 0;
    strcpy(copy, text);
    for (size_t i = 0; i < 8; i++)
        if (copy[i] == wanted[i])
            sum += i;
    return sum;
}

int main(int argc, char **argv)
{
    char **names = malloc(argc * sizeof *names);
    if (argc < 3 || !names)
        return 1;
    if (strcmp(argv[1], "--sum-of-the-places") || strlen(argv[2]) != 20)
        return 2;
    for (int i = 0; i < argc; i++)
        names[i] = argv[argc - i];
    return (int)sum_of(names[1], names[2]);
}
