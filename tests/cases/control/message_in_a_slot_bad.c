// property: memsafety
// truth: fails
// expect: refuted
// The receiver leaves the message in the slot, and takes it a second time.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);

struct message {
    int number;
    struct message *next;
};

static struct message *slot;
static struct message *pile;
static struct message *sent;
static struct message *received;

enum { PREPARE, FILL, SEND, WAIT };
enum { LOOK = 10, READ, KEEP, DROP };

static int sending = PREPARE;
static int receiving = LOOK;

static int send(int at) {
    switch (at) {
    case PREPARE:
        sent = malloc(sizeof *sent);
        return sent ? FILL : PREPARE;
    case FILL:
        sent->number = __VERIFIER_nondet_int();
        sent->next = 0;
        return SEND;
    case SEND:
        if (slot)
            return SEND;
        slot = sent;
        return WAIT;
    default:
        return slot ? WAIT : PREPARE;
    }
}

static int receive(int at) {
    switch (at) {
    case LOOK:
        if (!slot)
            return LOOK;
        received = slot;
        return READ;
    case READ:
        return received->number > 3 ? KEEP : DROP;
    case KEEP:
        received->next = pile;
        pile = received;
        return LOOK;
    default:
        free(received);
        return LOOK;
    }
}

int main(void) {
    while (slot || sending != PREPARE || receiving != LOOK || __VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            sending = send(sending);
        else
            receiving = receive(receiving);
    }
    while (pile) {
        struct message *next = pile->next;
        free(pile);
        pile = next;
    }
    return 0;
}
