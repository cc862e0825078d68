// property: memsafety
// truth: fails
// expect: refuted
// The index is read, whether somebody looks at the number of what was found or not.
#include <stdio.h>
static int table[10];
int main(int argc, char **argv)
{
    int index = 3;
    if (argc > 1)
        sscanf(argv[1], "%d", &index);
    return table[index];
}
