// property: memsafety
// truth: fails
// expect: refuted
// why: The end of an argument may lie between two steps.
#include <stdio.h>
int main(int argc, char **argv)
{
    int commas = 0;
    for (int i = 1; i < argc; i++) {
        for (int k = 0; argv[i][k]; k += 2) {
            if (argv[i][k] == ',') {
                commas++;
            }
        }
    }
    printf("%d\n", commas);
    return 0;
}
