// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry keep
// A text is kept where a link lies, through a pointer that may lead to the name as well: what is
// read there later is no node.
struct node {
    struct node *next;
    int *data;
    int value;
    char *name;
};

void keep(struct node *node, char *text, int named)
{
    char **place;
    if (!node) return;
    if (named) place = &node->name; else place = (char **)&node->next;
    *place = text;
    if (node->next) node->next->value = 1;
}
