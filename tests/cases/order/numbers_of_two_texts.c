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
    printf("%d and %ld\n", atoi(argv[1]), atol(argv[2]));
    return 0;
}
