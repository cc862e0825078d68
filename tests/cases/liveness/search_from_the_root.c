// property: ltl
// ltl: G(searching == 1 -> F searching == 0)
// truth: holds
// expect: proved
#include <stdlib.h>

int nondet(void);
struct tree { int key; struct tree *left, *right; };
int searching;

int main(void) {
    struct tree *root = 0;
    for (;;) {
        int key = nondet();
        struct tree **place = &root;
        searching = 1;
        while (*place && (*place)->key != key)
            place = key < (*place)->key ? &(*place)->left : &(*place)->right;
        searching = 0;
        if (!*place) {
            *place = malloc(sizeof **place);
            (*place)->key = key;
            (*place)->left = (*place)->right = 0;
        }
    }
}
