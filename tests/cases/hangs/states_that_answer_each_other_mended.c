// property: termination
// truth: holds
// expect: unknown(W030)
// A bad byte is passed over.
#include <stdio.h>
#include <string.h>

enum state { SEEK, HEADER, BODY, DONE };

struct decoder {
    enum state state;
    unsigned at, size;
    unsigned char bytes[48];
};

static void step(struct decoder *decoder)
{
    unsigned char byte = decoder->bytes[decoder->at];
    switch (decoder->state) {
    case SEEK:
        if (byte == 0x7e)
            decoder->state = HEADER;
        decoder->at++;
        break;
    case HEADER:
        decoder->state = BODY;
        break;
    case BODY:
        if (byte == 0x7f)
            decoder->state = DONE;
        else if (byte >= 0x80)
        {
            decoder->state = HEADER;
            decoder->at++;
        }
        else
            decoder->at++;
        break;
    case DONE:
        break;
    }
}

int main(void)
{
    struct decoder decoder;
    memset(&decoder, 0, sizeof decoder);
    decoder.size = (unsigned)fread(decoder.bytes, 1, sizeof decoder.bytes, stdin);
    while (decoder.at < decoder.size && decoder.state != DONE)
        step(&decoder);
    return decoder.state == DONE ? 0 : 1;
}
