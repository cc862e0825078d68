// property: termination
// truth: holds
// expect: proved
// What nobody calls may have any attributes, and well-known ones change nothing.
__attribute__((does_something_strange)) static int unused(int x)
{
    return x;
}

__attribute__((noinline, cold, unused)) static int step(int x)
{
    return x - 1;
}

int main(void)
{
    int x = 10;
    while (x > 0)
        x = step(x);
    return 0;
}
