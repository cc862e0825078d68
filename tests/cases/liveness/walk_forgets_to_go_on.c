// property: ltl
// ltl: G(walking == 1 -> F walking == 0)
// truth: fails
// expect: refuted
#include <stdlib.h>

int nondet(void);
struct node { int value; struct node *next; };

static struct node *push(struct node *list, int value) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = list;
    return fresh;
}

static struct node *build(int n) {
    struct node *list = 0;
    for (int i = 0; i < n; i++)
        list = push(list, i);
    return list;
}

static void drain(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int walking;

int main(void) {
    struct node *list = build(3);
    unsigned sum = 0;
    walking = 1;
    for (struct node *p = list; p;) {
        sum += (unsigned)p->value;
        if (p->value != 1)
            p = p->next;
    }
    walking = 0;
    drain(list);
    return sum != 0;
}
