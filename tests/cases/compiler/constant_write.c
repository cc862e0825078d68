// property: memsafety
// truth: fails
// expect: refuted
// Nor are objects that are constant.
static const int table[2] = { 1, 2 };

int main(void)
{
    int *cell = (int *)&table[1];
    *cell = 3;
    return 0;
}
