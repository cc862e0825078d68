// property: memsafety
// truth: holds
// expect: proved
// The new node writes other members than the place reads.
#include <stdlib.h>

struct node { struct node *next; int value; };
struct list { struct node *head; };

static struct node *fresh(int value)
{
    struct node *node = malloc(sizeof *node);
    node->next = 0;
    node->value = value;
    return node;
}

int main(void)
{
    struct list list;
    list.head = fresh(1);
    list.head->next = fresh(2);
    free(list.head->next);
    free(list.head);
    return 0;
}
