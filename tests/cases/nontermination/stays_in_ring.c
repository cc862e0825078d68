// property: termination
// truth: fails
// expect: refuted
// Three cells in a ring; the way goes round three steps at a time.
#include <stdlib.h>

struct node {
    struct node *next;
    int is_last;
};

int main(void) {
    struct node a, b, c;
    a.next = &b;
    b.next = &c;
    c.next = &a;
    a.is_last = b.is_last = c.is_last = 0;
    struct node *at = &a;
    while (!at->is_last)
        at = at->next;
    return 0;
}
