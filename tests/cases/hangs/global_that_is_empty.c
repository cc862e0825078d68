// property: termination
// truth: fails
// expect: refuted
// options: --entry take
// A queue that is empty at the start stays empty; it is asked whoever calls.
struct entry { struct entry *next; int value; };

static struct entry *first;

int take(int *missed)
{
    while (!first)
        *missed = 1;
    int value = first->value;
    first = first->next;
    return value;
}
