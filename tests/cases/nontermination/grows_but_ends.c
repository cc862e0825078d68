// property: termination
// truth: holds
// expect: proved
// Each round makes a cell, but a counter ends it: no cycle is closed.
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *top = 0;
    for (int i = 0; i < 3000; i++) {
        struct node *more = malloc(sizeof *more);
        more->next = top;
        top = more;
    }
    return 0;
}
