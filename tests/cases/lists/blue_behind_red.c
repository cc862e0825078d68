// property: reach
// truth: holds
// expect: proved
// Any number of red beads, then any number of blue ones, then the knot.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void reach_error(void);

struct bead {
    int colour;
    struct bead *next;
};

static struct bead *more(struct bead *bead, int colour) {
    bead->colour = colour;
    bead->next = malloc(sizeof *bead);
    bead->next->next = NULL;
    return bead->next;
}

int main(void) {
    struct bead *string = malloc(sizeof *string);
    struct bead *end = string;
    end->next = NULL;
    while (__VERIFIER_nondet_int())
        end = more(end, 4);
    while (__VERIFIER_nondet_int())
        end = more(end, 8);
    end->colour = 0;
    struct bead *bead = string;
    while (bead->colour == 4)
        bead = bead->next;
    while (bead->colour == 8)
        bead = bead->next;
    if (bead->colour != 0)
        reach_error();
    return 0;
}
