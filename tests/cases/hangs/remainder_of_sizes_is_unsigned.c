// property: termination
// truth: fails
// expect: refuted
// What is left is unsigned, and so is the difference.
#include <stdio.h>
#include <stdlib.h>

struct stream {
    unsigned remaining;
    unsigned frame;
    unsigned frames;
};

static void skip_frames(struct stream *stream)
{
    while (stream->remaining - stream->frame >= 0) {
        stream->remaining -= stream->frame;
        stream->frames++;
    }
}

int main(void)
{
    struct stream stream = { .frame = 48, .frames = 0 };
    char line[32];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    stream.remaining = (unsigned)atoi(line);
    skip_frames(&stream);
    printf("%u frames\n", stream.frames);
    return 0;
}
