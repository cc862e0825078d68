// property: memsafety
// truth: fails
// expect: refuted
// The array in the result of a call ends with the full expression.
struct pair {
    int both[2];
};

static struct pair make(int a)
{
    struct pair made = {{a, a + 1}};
    return made;
}

int main(void)
{
    int sum = make(1).both[0] + make(2).both[1];
    int *kept = make(sum).both;
    return kept[0];
}
