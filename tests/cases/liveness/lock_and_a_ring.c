// property: spec
// spec: examples/specs/lock.slic
// truth: fails
// expect: refuted
#include <stdlib.h>

int nondet(void);
struct node { int value; struct node *next; };

static void lock(void) {}
static void unlock(void) {}

int main(void) {
    struct node *only = malloc(sizeof *only);
    only->next = only;
    lock();
    for (struct node *p = only; p; p = p->next)
        ;
    unlock();
    return 0;
}
