// property: memsafety
// truth: holds
// expect: proved
// options: --entry shift
// A function whose address is taken elsewhere in the file, and which is called by no pointer
// here: what its arguments lead to may still be needed.
struct number {
    long value;
    struct number *next;
};

typedef void operation(struct number *, struct number *);

static void shift(struct number *left, struct number *right) { left->value <<= right->value; }

struct entry {
    const char *name;
    operation *run;
};

void choose(struct entry *entry)
{
    entry->name = "<<";
    entry->run = shift;
}
