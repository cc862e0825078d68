// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry clear
// What is given up may be changed: the count may grow with each call.
struct table {
    unsigned n_rows;
    int *rows;
};

extern void table_release(struct table *table);

void clear(struct table *table)
{
    for (unsigned i = 0; i != table->n_rows; i++)
        table_release(table);
}
