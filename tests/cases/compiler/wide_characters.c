// property: termination
// truth: fails
// expect: refuted
// The prefix of a character constant names its type.
int main(void)
{
    while (sizeof(u'a') == 2 && sizeof(U'a') == 4 && L'\xffffffff' < 0 && U'\xffffffff' > 0)
        ;
    return 0;
}
