// property: termination
// truth: holds
// expect: proved
// options: --entry total
// A queue has as many entries as it says: what callers have to keep to is found.
struct entry { struct entry *next; unsigned value; };
struct queue { struct entry *first; int n; };

unsigned total(struct queue *queue)
{
    unsigned sum = 0;
    while (queue->n > 0) {
        struct entry *entry = queue->first;
        if (!entry)
            continue;
        sum += entry->value;
        queue->first = entry->next;
        queue->n--;
    }
    return sum;
}
