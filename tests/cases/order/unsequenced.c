// property: termination
// truth: fails
// expect: unknown(W020)
// Nothing orders the two changes: C leaves open what happens.
int main(void)
{
    int i = 0;
    i = i++ + 1;
    while (i == 1)
        ;
    return 0;
}
