// property: memsafety
// truth: holds
// expect: proved
// options: --entry sort
// Rows with pointers are moved through a local variable: each pointer stays one of its type.
struct row {
    int key;
    char *name;
};

void sort(struct row *rows, int n)
{
    for (int i = 1; i < n; i++) {
        struct row moved = rows[i];
        int at = i;
        while (at > 0 && rows[at - 1].key > moved.key) {
            rows[at] = rows[at - 1];
            at--;
        }
        rows[at] = moved;
    }
}
