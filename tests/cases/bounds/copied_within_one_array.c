// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry shift
// What is copied by `memcpy` overlaps with where it goes.
#include <string.h>
struct buffer { unsigned long used; char *bytes; };

void shift(struct buffer *buffer) {
    if (!buffer || !buffer->bytes || buffer->used < 3) return;
    memcpy(buffer->bytes, buffer->bytes + 1, buffer->used - 1);
}
