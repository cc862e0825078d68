// property: termination
// truth: holds
// expect: proved
// A counted loop builds a list, another walks it.
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

int main(void) {
    int count = 0;
    for (struct node *cell = build(__VERIFIER_nondet_int()); cell != NULL; cell = cell->next)
        count++;
    return count;
}
