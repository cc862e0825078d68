// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry clear
// A counter of 32 bits goes round where the count is larger.
struct table {
    unsigned long n_rows;
    int *rows;
};

void clear(struct table *table)
{
    for (unsigned i = 0; i < table->n_rows; i++)
        table->rows[i] = 0;
}
