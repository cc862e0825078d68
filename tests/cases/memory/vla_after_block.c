// property: memsafety
// truth: fails
// expect: refuted
// A variable-length array ends with its block.
int main(void)
{
    int n = 4;
    char *last = 0;
    for (int i = 0; i < 2; i++) {
        char row[n];
        if (last)
            *last = 1;
        row[0] = 0;
        last = row;
    }
    return 0;
}
