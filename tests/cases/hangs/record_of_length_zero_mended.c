// property: termination
// truth: holds
// expect: proved
// A record of length zero ends the packet.
#include <stddef.h>
#include <stdio.h>

struct packet {
    unsigned char bytes[64];
    size_t size;
};

static int count_records(const struct packet *packet)
{
    size_t at = 0;
    int count = 0;
    while (at < packet->size) {
        unsigned char length = packet->bytes[at];
        if (length == 0)
            break;
        if (count < 1000)
            count++;
        at += length;
    }
    return count;
}

int main(void)
{
    struct packet packet;
    packet.size = fread(packet.bytes, 1, sizeof packet.bytes, stdin);
    printf("%d records\n", count_records(&packet));
    return 0;
}
