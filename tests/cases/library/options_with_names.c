// property: termination
// truth: holds
// expect: proved
#include <getopt.h>
#include <stdio.h>

static int is_loud;

static const struct option names[] = {
    {"loud", no_argument, &is_loud, 1},
    {"size", required_argument, NULL, 's'},
    {NULL, 0, NULL, 0},
};

int main(int argc, char **argv)
{
    int option, size = 0;

    while ((option = getopt_long(argc, argv, "s:", names, NULL)) != -1)
        if (option == 's')
            size = optarg[0];
        else if (option != 0)
            return 2;
    for (; optind < argc; optind++)
        printf(is_loud ? "%s!\n" : "%s\n", argv[optind]);
    return size;
}
