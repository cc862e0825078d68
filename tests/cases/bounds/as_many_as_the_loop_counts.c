// property: memsafety
// truth: holds
// expect: proved
// options: --entry clear
// How long the array has to be the loop says.
void clear(int *row)
{
    for (int i = 0; i < 16; i++)
        row[i] = 0;
}
