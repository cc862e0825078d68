// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry holds
// A table that is full would be searched for ever, but each round goes on to another slot: that
// callers leave one free is for them to know.
int holds(const int *slots, unsigned size, int key)
{
    unsigned at = (unsigned)key % size;
    while (slots[at] != 0 && slots[at] != key)
        at = (at + 1) % size;
    return slots[at] == key;
}
