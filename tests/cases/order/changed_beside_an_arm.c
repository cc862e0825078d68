// property: memsafety
// truth: fails
// expect: unknown(W009)
// With arguments, the arm reads what the other operand changes, and nothing orders the two.
int main(int argc, char **argv)
{
    (void)argv;
    int n = argc, *p = &n;
    return (argc > 1 ? n : 0) + (*p)++;
}
