// property: termination
// truth: fails
// expect: refuted
// The call may come before the read, and behind it.
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
    while (x == 2)
        ;
    return 0;
}
