// property: memsafety
// truth: fails
// expect: unknown(W001)
// options: --entry f
// What a global of the file holds when a function is called from elsewhere is for the
// caller to say: no run may rest on it.
struct table {
    int first;
    int rest[3];
};

struct table table;

int f(int at)
{
    int *start = &table.first;
    if (start[1] == 7 && table.rest[at & 1] == 9) {
        int *nothing = 0;
        return *nothing;
    }
    return 0;
}
