// property: spec
// spec: examples/specs/open_close.slic
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

static void open_item(struct node *node) { node->value = 1; }
static void close_item(struct node *node) { node->value = 0; }

int main(void) {
    struct node *list = build(nondet());
    for (struct node *p = list; p; p = p->next) {
        open_item(p);
        close_item(p);
    }
    drain(list);
    return 0;
}
