// property: termination
// truth: holds
// expect: unknown(W020)
// An attribute that is in no table is not ignored where it is used.
__attribute__((does_something_strange)) static int step(int x)
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
