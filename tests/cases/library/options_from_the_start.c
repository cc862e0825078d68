// property: termination
// truth: fails
// expect: unknown(W030)
// The first option is taken again and again.
#include <unistd.h>

int main(int argc, char **argv)
{
    while (getopt(argc, argv, "x") != -1)
        optind = 0;
    return 0;
}
