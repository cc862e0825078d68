// property: memsafety
// truth: fails
// expect: refuted
// What an `if` governs is a block, with braces or without.
int main(void)
{
    int *p = 0;
    if (!p)
        p = (int[]){1, 2};
    return p[1];
}
