// property: ltl
// ltl: G(searching == 1 -> F searching == 0)
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

int searching;

int main(void) {
    struct node *list = 0;
    while (nondet()) {
        int value = nondet();
        struct node **link = &list;
        searching = 1;
        while (*link && (*link)->value < value)
            link = &(*link)->next;
        searching = 0;
        *link = push(*link, value);
    }
    drain(list);
    return 0;
}
