// property: ltl
// ltl: building == 0 U (building == 1 && F building == 2)
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

static void drain(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int building;

int main(void) {
    int n = nondet();
    struct node *list = 0;
    building = 1;
    for (int i = 0; i < n; i++)
        list = push(list, i);
    building = 2;
    drain(list);
    return 0;
}
