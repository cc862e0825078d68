// property: termination
// truth: holds
// expect: proved
// An option takes a character of the arguments; the width is an argument of the format.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *texts[8];
static int count;

static void note(const char *text)
{
    if (count < 8)
        texts[count++] = strrchr(text, '/') ? "a path" : text;
}

int main(int argc, char **argv)
{
    int option, width = 0;

    while ((option = getopt(argc, argv, "n:w")) != -1) {
        if (option == 'n')
            note(optarg);
        else if (option == 'w')
            width++;
        else
            return 2;
    }
    while (count > 0)
        printf("%*s\n", width, texts[--count]);
    return 0;
}
