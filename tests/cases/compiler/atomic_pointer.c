// property: termination
// truth: fails
// expect: refuted
// Atomic operations move pointers by bytes.
static int table[3];
static int *at;

int main(void)
{
    at = table;
    int *before = __atomic_fetch_add(&at, 4, __ATOMIC_SEQ_CST);
    int *after = __sync_add_and_fetch(&at, 4);
    while (before == table && after == table + 2)
        ;
    return 0;
}
