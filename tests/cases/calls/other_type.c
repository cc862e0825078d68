// property: termination
// truth: fails
// expect: unknown(W007)
// A call through a pointer to another type of function is undefined.
static unsigned char low(int x)
{
    return (unsigned char)x;
}

int main(void)
{
    int (*table[2])(int) = {(int (*)(int))low, (int (*)(int))low};
    int i = 0;
    while (table[i](256) == 0)
        ;
    return 0;
}
