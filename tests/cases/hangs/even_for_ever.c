// property: termination
// truth: fails
// expect: refuted
//
// Adding two keeps a number even, also where it wraps around.

int main(void)
{
    unsigned n = 0;
    while (n % 2 == 0)
        n += 2;
    return 0;
}
