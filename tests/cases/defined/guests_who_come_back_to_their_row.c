// property: termination
// options: --entry drain
// truth: fails
// expect: unknown(W030)
// A guest who has paid is put before the next one again.
#include <stddef.h>

struct guest {
    int seats;
    struct guest *behind;
};

struct guest *rows[10];

static void pay(struct guest *guest, struct guest **row) {
    guest->seats = 0;
    guest->behind = *row;
    *row = guest;
}

void drain(int row) {
    while (rows[row] != NULL) {
        struct guest *guest = rows[row];
        rows[row] = guest->behind;
        pay(guest, &rows[row]);
    }
}
