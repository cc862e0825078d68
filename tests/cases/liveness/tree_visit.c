// property: ltl
// ltl: G(visiting == 1 -> F visiting == 0)
// truth: holds
// expect: proved
#include <stdlib.h>

int nondet(void);
struct tree { int key; struct tree *left, *right; };
int visiting;

static struct tree *grow(int depth) {
    if (depth <= 0 || nondet())
        return 0;
    struct tree *fresh = malloc(sizeof *fresh);
    fresh->key = depth;
    fresh->left = grow(depth - 1);
    fresh->right = grow(depth - 1);
    return fresh;
}

static int sum(const struct tree *tree) {
    return tree ? tree->key + sum(tree->left) + sum(tree->right) : 0;
}

int main(void) {
    struct tree *tree = grow(nondet());
    visiting = 1;
    int total = sum(tree);
    visiting = 0;
    return total;
}
