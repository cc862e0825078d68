// property: memsafety
// truth: holds
// expect: proved
// options: --entry copy
// As long as the text is that the length says, and that is not the largest number.
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
