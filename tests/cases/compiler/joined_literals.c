// property: termination
// truth: fails
// expect: refuted
// The prefix of one literal holds for its neighbours.
int main(void)
{
    while (sizeof(L"a" "\u00e4") == 3 * sizeof(L'a') && (u"" "\u20ac")[0] == 0x20ac)
        ;
    return 0;
}
