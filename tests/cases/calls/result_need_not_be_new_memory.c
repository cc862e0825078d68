// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry first_value
//
// Nobody says that the function without body returns memory, as it would by an attribute: it may
// be null.

struct item {
    int value;
};
struct table;

extern struct item *item_at(const struct table *table, int place);

int first_value(const struct table *table)
{
    struct item *item = item_at(table, 0);
    return item->value;
}
