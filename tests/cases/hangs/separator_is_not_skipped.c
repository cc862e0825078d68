// property: termination
// truth: fails
// expect: refuted
// At a separator there is a word of no letters, again and again.
#include <stdio.h>
#include <string.h>

static int count_words(const char *text)
{
    int n = 0;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (length > 0)
            n++;
        text += length;
    }
    return n;
}

int main(void)
{
    char line[80];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    printf("%d\n", count_words(line));
    return 0;
}
