// property: termination
// options: --entry release
// truth: holds
// expect: proved
// Whoever is still needed is the last one that is looked at: no link leads on from null.
#include <stddef.h>

struct packet {
    struct packet *next;
    int n_users;
};

void give_back_to_pool(int pool, void *memory);

int release(struct packet *packet) {
    int n_freed = 0;
    while (packet != NULL) {
        if (--packet->n_users == 0) {
            struct packet *next = packet->next;
            give_back_to_pool(1, packet);
            n_freed++;
            packet = next;
        } else {
            packet = NULL;
        }
    }
    return n_freed;
}
