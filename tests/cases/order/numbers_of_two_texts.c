// property: termination
// truth: holds
// expect: proved
//
// Either call may leave a number in errno last; the program never looks.

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    printf("%f %f\n", strtod(argv[1], 0), atof(argv[2]));
    return 0;
}
