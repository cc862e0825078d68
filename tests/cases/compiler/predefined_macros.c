// property: termination
// truth: fails
// expect: refuted
// The compiler's own macros exist without any directive.
int main(void)
{
    while (__INT_MAX__ == 2147483647 && __LINE__ == 7)
        ;
    return 0;
}
