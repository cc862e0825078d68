// property: termination
// truth: fails
// expect: refuted
// Constructors run by priority, those without one last.
static int order;

__attribute__((constructor)) static void third(void)
{
    order = order * 10 + 3;
}

__attribute__((constructor(102))) static void second(void)
{
    order = order * 10 + 2;
}

__attribute__((constructor(101))) static void first(void)
{
    order = order * 10 + 1;
}

int main(void)
{
    while (order == 123)
        ;
    return 0;
}
