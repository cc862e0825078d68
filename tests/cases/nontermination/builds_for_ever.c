// property: termination
// truth: fails
// expect: refuted
// options: --int-model=math
// Each round makes one more cell, and reads only the newest one.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *top = malloc(sizeof *top);
    top->value = 1;
    top->next = 0;
    while (top->value > 0) {
        struct node *more = malloc(sizeof *more);
        more->value = top->value + 1;
        more->next = top;
        top = more;
    }
    return 0;
}
