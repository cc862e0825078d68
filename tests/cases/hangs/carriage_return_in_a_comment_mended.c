// property: termination
// truth: holds
// expect: proved
// Whatever stands in a comment is passed over.
#include <stdio.h>

static const char *skip(const char *p)
{
    for (;;) {
        while (*p == ' ' || *p == '\t')
            p++;
        if (*p != '#')
            return p;
        while (*p != '\n' && *p != 0)
            p++;
    }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    puts(skip(argv[1]));
    return 0;
}
