// property: termination
// truth: fails
// expect: refuted
// The parts of an initializer are evaluated in any order.
struct pair { int a, b; };

static int state;

static int change(void)
{
    state = 2;
    return 0;
}

int main(void)
{
    struct pair pair = { state, change() };
    while (pair.a == 2)
        ;
    return 0;
}
