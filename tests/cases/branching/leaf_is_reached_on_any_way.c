// property: ctl
// ctl: A[reached == 0 U AG(reached == 1)]
// truth: holds
// expect: proved
// why: a tree is built in finitely many calls, and every way down from its root ends.
#include <stdlib.h>

int nondet(void);
struct tree { struct tree *left, *right; };
struct tree *at;
int reached;

static struct tree *build(int depth) {
    if (depth <= 0)
        return 0;
    struct tree *root = malloc(sizeof *root);
    root->left = nondet() ? build(depth - 1) : 0;
    root->right = nondet() ? build(depth - 1) : 0;
    return root;
}

int main(void) {
    at = build(nondet());
    while (at)
        at = nondet() ? at->left : at->right;
    reached = 1;
    return 0;
}
