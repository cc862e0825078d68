// property: termination
// truth: holds
// expect: unknown(W030)
// What two texts compare to is the same each time: no run goes round here.

#include <string.h>
#include <strings.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 0;
    int first = strcasecmp(argv[1], argv[2]);
    while (strcasecmp(argv[1], argv[2]) != first)
        ;
    return 0;
}
