// property: termination
// truth: holds
// expect: proved
// options: --entry clear
// A count stays what it is where objects of another type are given up.
struct row {
    double weight;
};

struct table {
    unsigned n_rows;
    struct row *rows[256];
};

extern void row_free(struct row *row);

void clear(struct table *table)
{
    for (unsigned i = 0; i != table->n_rows; i++)
        row_free(table->rows[i]);
}
