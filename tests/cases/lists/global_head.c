// property: termination
// truth: holds
// expect: proved
// The head of the list is a global variable.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *head;

static void push(void) {
    struct node *cell = malloc(sizeof *cell);
    cell->next = head;
    head = cell;
}

static void pop(void) {
    struct node *cell = head;
    head = cell->next;
    free(cell);
}

int main(void) {
    for (int i = __VERIFIER_nondet_int(); i > 0; i--)
        push();
    while (head != NULL)
        pop();
    return 0;
}
