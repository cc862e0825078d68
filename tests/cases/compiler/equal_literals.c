// property: termination
// truth: fails
// expect: refuted
// Equal literals may be one object.
int main(void)
{
    const char *first = "same";
    const char *second = "same";
    while (first == second)
        ;
    return 0;
}
