// property: memsafety
// truth: holds
// expect: proved
// Neither call keeps the other one from its list.
#include <stdlib.h>

int nondet(void);
struct node { struct node *next; };

static struct node *make(void) {
    struct node *list = 0;
    while (nondet()) {
        struct node *more = malloc(sizeof *more);
        more->next = list;
        list = more;
    }
    return list;
}

static int count(const struct node *list) {
    int n = 0;
    for (; list; list = list->next)
        n = n < 100 ? n + 1 : n;
    return n;
}

static void drop(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void) {
    struct node *a = make(), *b = make();
    int n = count(a) + count(b);
    drop(a);
    drop(b);
    return n;
}
