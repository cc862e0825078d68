// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry copy
// A proof for texts of one byte at the most is none for texts.
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    unsigned long length;
};

char *copy(const struct text *text)
{
    char *made = malloc(text->length + 1);
    if (!made) return 0;
    memcpy(made, text->bytes, text->length);
    made[text->length] = 0;
    return made;
}
