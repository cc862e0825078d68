// property: memsafety
// truth: holds
// expect: proved
// options: --entry unlink_all
// No link of a ring is null. What is taken out of it stays the callers' own.
struct ring {
    struct ring *prev, *next;
};

void unlink_all(struct ring *head)
{
    while (head->next != head) {
        struct ring *first = head->next;
        first->prev->next = first->next;
        first->next->prev = first->prev;
    }
}
