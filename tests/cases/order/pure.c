// property: termination
// truth: holds
// expect: proved
// Calls that disturb nobody have one order.
static int square(int x)
{
    return x * x;
}

int main(void)
{
    int n = 0;
    for (int i = 0; square(i) + square(i + 1) < 100; i++)
        n += square(i) - n;
    return n;
}
