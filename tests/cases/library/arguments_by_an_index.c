// property: memsafety
// truth: holds
// expect: proved
// why: No argument has more bytes than an `int` counts.
#include <stdio.h>
int main(int argc, char **argv)
{
    int commas = 0;
    for (int i = 1; i < argc; i++) {
        for (int k = 0; argv[i][k]; k++) {
            if (argv[i][k] == ',') {
                commas++;
            }
        }
    }
    printf("%d\n", commas);
    return 0;
}
