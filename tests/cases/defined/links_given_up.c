// property: termination
// truth: holds
// expect: proved
// options: --entry drop
// What is given up behind a walk, and what nodes lead to, leaves the rest of the list as it is.
struct name {
    int length, hash, n_users;
    char *text;
};

struct node {
    struct node *next;
    struct name *name;
};

extern void name_free(struct name *name);
extern void node_free(struct node *node);

void drop(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        name_free(list->name);
        node_free(list);
        list = next;
    }
}
