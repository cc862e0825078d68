// property: termination
// truth: holds
// expect: proved
// The name of a function is no literal.
int main(void)
{
    while (__func__ == "main")
        ;
    while (__func__ != __func__)
        ;
    return 0;
}
