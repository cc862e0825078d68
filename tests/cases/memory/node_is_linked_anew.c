// property: memsafety
// truth: holds
// expect: proved
// options: --entry push
// What is put into a list keeps what the list held.
struct node {
    struct node *next;
    int value;
};

struct list {
    struct node *first;
};

void push(struct list *list, struct node *node) {
    node->next = list->first;
    list->first = node;
}
