// property: memsafety
// truth: fails
// expect: unknown(W020)
// options: --entry drain
// What a function without body does to its argument is not taken for granted where its name says
// that it gives memory up.
struct packet {
    struct packet *next;
    int length;
};

void packet_free(struct packet *packet);

int drain(struct packet *packet) {
    int sum = 0;
    while (packet) {
        packet_free(packet);
        sum += packet->length;
        packet = packet->next;
    }
    return sum;
}
