// property: ltl
// ltl: G(moving == 1 -> F moving == 0)
// truth: holds
// expect: proved
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

int moving;

int main(void) {
    struct node *from = build(nondet()), *to = 0;
    moving = 1;
    while (from) {
        struct node *next = from->next;
        from->next = to;
        to = from;
        from = next;
    }
    moving = 0;
    drain(to);
    return 0;
}
