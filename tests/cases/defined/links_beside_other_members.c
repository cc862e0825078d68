// property: termination
// truth: holds
// expect: proved
// options: --entry mark
// What a walk writes are other members than the links that it follows.
struct name {
    const char *text;
};

struct node {
    unsigned char seen;
    struct name *name;
    struct node *next;
};

static struct name nobody = { "" };

void mark(struct node *list)
{
    while (list) {
        list->seen = 1;
        if (!list->name)
            list->name = &nobody;
        list->name->text = "?";
        list = list->next;
    }
}
