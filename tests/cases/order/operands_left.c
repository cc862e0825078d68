// property: termination
// truth: fails
// expect: refuted
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
    while (x == 1)
        ;
    return 0;
}
