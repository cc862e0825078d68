// property: ltl
// ltl: G(round == 1 -> F round == 0)
// truth: fails
// expect: refuted
#include <stdlib.h>

int nondet(void);
struct node { int value; struct node *next; };

int round;

int main(void) {
    struct node *ring = malloc(sizeof *ring);
    struct node *other = malloc(sizeof *other);
    ring->next = other;
    other->next = ring;
    round = 1;
    for (struct node *p = ring->next; p; p = p->next)
        ;
    round = 0;
    return 0;
}
