// property: ltl
// ltl: G(queued == 1 -> F queued == 0)
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

int queued;

int main(void) {
    struct node *list = build(nondet());
    queued = 1;
    while (list) {
        struct node *first = list;
        list = list->next;
        if (nondet())
            list = push(list, first->value);
        free(first);
    }
    queued = 0;
    return 0;
}
