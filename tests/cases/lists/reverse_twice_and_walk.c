// property: termination
// truth: holds
// expect: proved
// Reversal keeps the list intact: it can be reversed again and walked.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *build(int length) {
    struct node *list = NULL;
    for (int i = 0; i < length; i++) {
        struct node *cell = malloc(sizeof *cell);
        cell->value = i;
        cell->next = list;
        list = cell;
    }
    return list;
}

static struct node *reverse(struct node *rest) {
    struct node *done = NULL;
    while (rest != NULL) {
        struct node *next = rest->next;
        rest->next = done;
        done = rest;
        rest = next;
    }
    return done;
}

int main(void) {
    struct node *list = reverse(reverse(build(__VERIFIER_nondet_int())));
    while (list != NULL)
        list = list->next;
    return 0;
}
