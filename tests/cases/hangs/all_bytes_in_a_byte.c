// property: termination
// truth: fails
// expect: refuted
// A byte is always less than 256.
#include <stdio.h>
#include <string.h>

struct histogram {
    unsigned counts[256];
    unsigned most;
};

static void add(struct histogram *histogram, const char *text)
{
    for (const char *at = text; *at != '\0'; at++)
        histogram->counts[(unsigned char)*at]++;
}

static void find_most(struct histogram *histogram)
{
    for (unsigned char byte = 0; byte < 256; byte++)
        if (histogram->counts[byte] > histogram->most)
            histogram->most = histogram->counts[byte];
}

int main(void)
{
    struct histogram histogram;
    char line[80];
    memset(&histogram, 0, sizeof histogram);
    while (fgets(line, sizeof line, stdin) != NULL)
        add(&histogram, line);
    find_most(&histogram);
    printf("%u\n", histogram.most);
    return 0;
}
