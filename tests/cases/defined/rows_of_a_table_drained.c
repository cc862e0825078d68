// property: termination
// options: --entry drain
// truth: holds
// expect: proved
// The first guest of a row is found again where the next one was put; what guests hold, and who
// takes them away, changes no row.
#include <stddef.h>

struct guest {
    int seats;
    struct guest *behind;
};

struct guest *rows[10];

void show_out(void *guest);

static void pay(struct guest *guest) {
    guest->seats *= 2;
}

void drain(int row) {
    while (rows[row] != NULL) {
        struct guest *guest = rows[row];
        rows[row] = guest->behind;
        pay(guest);
        show_out(guest);
    }
}
