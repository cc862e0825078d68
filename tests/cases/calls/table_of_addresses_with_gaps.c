// property: memsafety
// truth: fails
// expect: refuted
// options: --entry read
// why: Nobody changes the table, whose last place is null.
static int first, second;
static int *table[3] = {&first, &second};
int read(unsigned k)
{
    return *table[k % 3];
}
