// property: termination
// truth: fails
// expect: refuted
// The end of the input is no unsigned char.
#include <stdio.h>

struct counts {
    unsigned long lines, words;
};

static void count(struct counts *counts, FILE *input)
{
    unsigned char c;
    int inside = 0;
    while ((c = fgetc(input)) != EOF) {
        if (c == '\n')
            counts->lines++;
        if (c == ' ' || c == '\n' || c == '\t') {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            counts->words++;
        }
    }
}

int main(int argc, char **argv)
{
    struct counts counts = { 0, 0 };
    FILE *input = argc > 1 ? fopen(argv[1], "r") : stdin;
    if (input == NULL)
        return 1;
    count(&counts, input);
    printf("%lu %lu\n", counts.lines, counts.words);
    return 0;
}
