// property: termination
// truth: holds
// expect: proved
// options: --entry find
// Whatever the count is each time it is read, it is no more than its type holds.
struct table {
    int n_rows;
    const int *rows;
};

int find(const struct table *table, int row)
{
    for (int i = 0; i < table->n_rows; i++)
        if (table->rows[i] == row)
            return i;
    return -1;
}
