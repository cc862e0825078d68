// property: termination
// truth: fails
// expect: refuted
// The parenthesis stays where it is.
#include <stdio.h>

static int depth_of_list(const char **p);

static int depth_of_item(const char **p)
{
    if (**p == '(') {
        return 1 + depth_of_list(p);
    }
    if (**p != '\0')
        (*p)++;
    return 0;
}

static int depth_of_list(const char **p)
{
    int most = 0;
    while (**p != ')' && **p != '\0') {
        int d = depth_of_item(p);
        if (d > most)
            most = d;
    }
    if (**p == ')')
        (*p)++;
    return most;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    const char *p = argv[1];
    printf("%d\n", depth_of_list(&p));
    return 0;
}
