// property: termination
// good: t->left = 0;
// bad: t->left = root ? root : t;
// bad: t->left = t;
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
struct node { struct node *left; struct node *right; };
int main(void)
{
    int n;
    struct node *root = 0;
    struct node *t;
    for (n = __VERIFIER_nondet_int(); n > 0; n--) {
        t = malloc(sizeof *t);
        HOLE
        t->right = root;
        root = t;
    }
    t = root;
    while (t) {
        if (__VERIFIER_nondet_int())
            t = t->left;
        else
            t = t->right;
    }
    return 0;
}
