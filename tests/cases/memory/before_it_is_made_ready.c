// property: memsafety
// truth: holds
// expect: unknown(W003)
// options: --entry put
// Only the first call of all, before `begin`, would go wrong: that is no mistake of `put`.
static int size;
static char cells[4];

void begin(int n)
{
    size = n > 0 && n < 5 ? n : 4;
}

void put(char value)
{
    cells[size - 1] = value;
}
