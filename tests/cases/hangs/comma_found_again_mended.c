// property: termination
// truth: holds
// expect: proved
// The next comma is looked for behind this one.
#include <stdio.h>
#include <string.h>

struct row {
    char text[80];
    int n_fields;
};

static void count_fields(struct row *row)
{
    char *comma = strchr(row->text, ',');
    row->n_fields = 1;
    while (comma != NULL) {
        if (row->n_fields < 80)
            row->n_fields++;
        comma = strchr(comma + 1, ',');
    }
}

int main(void)
{
    struct row row;
    while (fgets(row.text, sizeof row.text, stdin) != NULL) {
        count_fields(&row);
        printf("%d\n", row.n_fields);
    }
    return 0;
}
