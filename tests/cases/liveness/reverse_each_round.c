// property: ltl
// ltl: GF turned == 1
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

int turned;

int main(void) {
    struct node *list = build(nondet());
    for (;;) {
        struct node *done = 0;
        turned = 0;
        while (list) {
            struct node *next = list->next;
            list->next = done;
            done = list;
            list = next;
        }
        turned = 1;
        list = done;
    }
}
