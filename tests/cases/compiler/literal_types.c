// property: termination
// truth: fails
// expect: refuted
// String literals have plain elements, no value has a qualified type, and an array
// of unknown length is compatible with others.
int main(void)
{
    while (_Generic("a", char *: 1, const char *: 0)
           && _Generic((const int)1, const int: 0, int: 1)
           && __builtin_types_compatible_p(int[], int[5]))
        ;
    return 0;
}
