// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry walk
// A member of a union is written where another one lies that is a link.
struct pair {
    char tag;
    union slot *other;
};

struct link {
    char tag;
    union slot *next;
};

union slot {
    struct pair pair;
    struct link link;
};

void walk(union slot *list)
{
    if (list)
        list->pair.other = list;
    while (list)
        list = list->link.next;
}
