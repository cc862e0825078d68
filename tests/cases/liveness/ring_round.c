// property: ltl
// ltl: G(round == 1 -> F round == 0)
// truth: holds
// expect: proved
#include <stdlib.h>

int nondet(void);
struct node { int value; struct node *next; };

int round;

int main(void) {
    struct node *ring = malloc(sizeof *ring);
    ring->next = ring;
    int n = nondet();
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = ring->next;
        ring->next = fresh;
    }
    for (;;) {
        round = 1;
        for (struct node *p = ring->next; p != ring; p = p->next)
            ;
        round = 0;
    }
}
