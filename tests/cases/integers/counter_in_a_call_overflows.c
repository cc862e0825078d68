// property: termination
// truth: fails
// expect: refuted

static int count(int step)
{
    static int total;
    total += step & 3;
    return total;
}

int main(void)
{
    unsigned last;
    while (1)
        last = count(1);
    return last;
}
