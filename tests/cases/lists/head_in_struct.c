// property: termination
// truth: holds
// expect: proved
// The head lives in a structure on the stack.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

struct queue {
    int length;
    struct node *first;
};

int main(void) {
    struct queue queue = { 0, NULL };
    for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
        struct node *cell = malloc(sizeof *cell);
        cell->next = queue.first;
        queue.first = cell;
        queue.length++;
    }
    while (queue.first != NULL) {
        struct node *cell = queue.first;
        queue.first = cell->next;
        queue.length--;
        free(cell);
    }
    return 0;
}
