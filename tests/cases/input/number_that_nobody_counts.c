// property: termination
// truth: fails
// expect: refuted
// Nobody looks at how many numbers were found, and the number is stored all the same.
#include <stdio.h>
int main(int argc, char **argv)
{
    int left = 1;
    if (argc < 2)
        return 0;
    while (left > 0) {
        left--;
        sscanf(argv[1], "%d", &left);
    }
    return 0;
}
