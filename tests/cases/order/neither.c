// property: termination
// truth: holds
// expect: proved
// In no order it is three.
static int state;

static int change(void)
{
    state = 2;
    return 0;
}

int main(void)
{
    state = 1;
    int x = state - change();
    while (x == 3)
        ;
    return 0;
}
