// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry add
// A new node is handed to somebody who may keep it: what is stored there later is a link as well.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

struct list {
    struct node *head;
    int length;
};

extern void list_put(struct list *list, struct node *node);

void add(struct list *list)
{
    struct node *node = malloc(sizeof *node);
    node->next = 0;
    list_put(list, node);
    if (list->head)
        node->next = list->head;
    for (struct node *at = list->head; at; at = at->next)
        at->value++;
}
