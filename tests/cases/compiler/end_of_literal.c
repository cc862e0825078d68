// property: termination
// truth: fails
// expect: refuted
// A literal may be the end of another one.
int main(void)
{
    const char *whole = "unlike";
    const char *part = "like";
    while (whole + 2 == part)
        ;
    return 0;
}
