// property: termination
// truth: holds
// expect: proved
// The capacity is never zero before it is doubled.
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *bytes;
    int used, capacity;
};

static void reserve(struct buffer *buffer, int more)
{
    int capacity = buffer->capacity;
    if (capacity == 0)
        capacity = 16;
    while (capacity < buffer->used + more)
        capacity *= 2;
    if (capacity > buffer->capacity) {
        buffer->bytes = realloc(buffer->bytes, (size_t)capacity);
        buffer->capacity = capacity;
    }
}

static void append(struct buffer *buffer, const char *text)
{
    int length = (int)strlen(text);
    reserve(buffer, length);
    if (length > 0)
        memcpy(buffer->bytes + buffer->used, text, (size_t)length);
    buffer->used += length;
}

int main(void)
{
    struct buffer buffer = { NULL, 0, 0 };
    append(&buffer, "to be ");
    append(&buffer, "continued");
    free(buffer.bytes);
    return 0;
}
