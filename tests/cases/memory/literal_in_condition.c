// property: memsafety
// truth: holds
// expect: proved
// A literal in the condition lives as long as the whole statement.
int main(void)
{
    int *p;
    if ((p = (int[]){1, 2})[0] == 1)
        return p[1];
    else
        return p[0];
}
