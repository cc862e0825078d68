// property: memsafety
// truth: holds
// expect: proved
// options: --entry slots
// A table of a power of two.
struct table {
    unsigned power;
    unsigned long used;
};

unsigned long slots(const struct table *table)
{
    return (1ul << table->power) - table->used;
}
