// property: memsafety
// truth: holds
// expect: proved
// options: --entry total
// As many pointers lie behind one member as another one says: calls where one is null are left out.
struct entry {
    int weight;
    struct entry *next;
};

struct table {
    unsigned long used;
    struct entry **entries;
};

int total(const struct table *table)
{
    int sum = 0;
    for (unsigned long i = 0; i < table->used; i++) sum += table->entries[i]->weight;
    return sum;
}
