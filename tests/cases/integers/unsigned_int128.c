// property: termination
// truth: fails
// expect: unknown(W030)
// Half of the numbers of 128 bits are above 2^127.
int main(void)
{
    unsigned __int128 all = 0;
    all--;
    while ((unsigned long)(all >> 64) == ~0ul)
        ;
    return 0;
}
