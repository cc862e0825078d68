// property: termination
// truth: holds
// expect: proved
// why: writing elements leaves the count beside them as it is
int input(void);

struct row { int n; int keys[48]; int last; };

static int where(const struct row *row, int key) {
    int low = 0, high = row->n - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (row->keys[middle] == key)
            return middle;
        if (row->keys[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void) {
    struct row row = { .n = 0 };
    while (row.n < 48 && input() > 0) {
        row.keys[row.n] = input();
        row.n++;
    }
    return where(&row, input());
}
