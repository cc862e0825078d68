// property: termination
// truth: fails
// expect: refuted
// options: --int-model=math
// Either argument may be evaluated first.
static int counter;

static int next(void)
{
    return counter++;
}

static int difference(int a, int b)
{
    return a - b;
}

int main(void)
{
    while (difference(next(), next()) == 1)
        ;
    return 0;
}
