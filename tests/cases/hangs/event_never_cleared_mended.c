// property: termination
// truth: holds
// expect: proved
// What is handled is cleared.
#include <stdio.h>

enum event { READABLE = 1, WRITABLE = 2, CLOSED = 4 };

struct connection {
    unsigned pending;
    int n_read, n_written;
    int is_open;
};

static void handle(struct connection *connection)
{
    while (connection->pending != 0) {
        if (connection->pending & READABLE) {
            connection->n_read = 1;
            connection->pending &= ~(unsigned)READABLE;
        } else if (connection->pending & WRITABLE) {
            connection->n_written = 1;
            connection->pending &= ~(unsigned)WRITABLE;
        } else {
            connection->is_open = 0;
            connection->pending = 0;
        }
    }
}

int main(void)
{
    struct connection connection = { 0, 0, 0, 1 };
    int c;
    while (connection.is_open && (c = getchar()) != EOF) {
        connection.pending = (unsigned)c & 7u;
        handle(&connection);
    }
    return 0;
}
