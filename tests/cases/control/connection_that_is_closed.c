// property: memcleanup
// truth: holds
// expect: proved
// There is a connection in some states only.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);

enum { CLOSED, OPENING, OPEN, CLOSING };

struct packet {
    int number;
    struct packet *next;
};

struct connection {
    struct packet *waiting;
};

static struct connection *connection;
static int state = CLOSED;

static void step(int what) {
    struct packet *packet;
    switch (state) {
    case CLOSED:
        connection = 0;
        if (what == 1)
            state = OPENING;
        break;
    case OPENING:
        connection = malloc(sizeof *connection);
        if (!connection) {
            state = CLOSED;
            break;
        }
        connection->waiting = 0;
        state = OPEN;
        break;
    case OPEN:
        if (what == 2) {
            packet = malloc(sizeof *packet);
            if (!packet)
                break;
            packet->number = what;
            packet->next = connection->waiting;
            connection->waiting = packet;
        } else if (what == 3) {
            state = CLOSING;
        }
        break;
    case CLOSING:
        packet = connection->waiting;
        if (packet) {
            connection->waiting = packet->next;
            free(packet);
        } else {
            free(connection);
            state = CLOSED;
        }
        break;
    }
}

int main(void) {
    int what;
    while (state != CLOSED || (what = __VERIFIER_nondet_int()) != 0)
        step(__VERIFIER_nondet_int());
    return 0;
}
