// property: memsafety
// truth: holds
// expect: proved
// No ticket of the pile is the free one: "≠ 7" is known of each, and no join of "< 7" and "> 7".
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct ticket {
    int seat;
    struct ticket *below;
};

static struct ticket *sold(int seat, struct ticket *below) {
    struct ticket *ticket = malloc(sizeof *ticket);
    ticket->seat = seat;
    ticket->below = below;
    return ticket;
}

int main(void) {
    struct ticket *pile = NULL;
    int *stamp = NULL;
    for (int day = 0; day < 5; day++) {
        int seat = __VERIFIER_nondet_int();
        if (seat != 7)
            pile = sold(seat, pile);
    }
    while (pile) {
        struct ticket *below = pile->below;
        if (pile->seat != 7)
            stamp = malloc(sizeof *stamp);
        *stamp = 1;
        free(stamp);
        stamp = NULL;
        free(pile);
        pile = below;
    }
    return 0;
}
