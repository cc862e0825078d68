// property: termination
// truth: fails
// expect: refuted

static int half = 0.5 && 1.5f > 1;

int main(void)
{
    int three = 3.9;
    while (half && three == 3 && 0.1 + 0.2 != 0.3)
        ;
    return 0;
}
