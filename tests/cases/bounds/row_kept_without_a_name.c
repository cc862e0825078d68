// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry set
// The name of the row has no value where the key is negative, and is followed then.
struct row {
    int key;
    char *name;
};

char set(struct row *row, char *name, int key)
{
    struct row made;
    made.key = key;
    if (key >= 0)
        made.name = name;
    *row = made;
    return row->name ? row->name[0] : 0;
}
