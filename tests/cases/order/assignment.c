// property: termination
// truth: fails
// expect: refuted
// The place may be found before or after the value.
static int first, second;
static int *at = &first;

static int move(void)
{
    at = &second;
    return 5;
}

int main(void)
{
    *at = move();
    while (second == 5)
        ;
    return 0;
}
