// property: termination
// truth: fails
// expect: refuted
// The lengths in the types of parameters are evaluated when the function is called.
static int calls = 1;

static int next(void)
{
    return ++calls;
}

static int first(int n, int rows[n][2], int all[next()])
{
    return rows[0][0] + all[0];
}

int main(void)
{
    int rows[1][2] = {{1, 2}};
    int all[3] = {0};
    first(1, rows, all);
    while (calls == 2)
        ;
    return 0;
}
