// property: termination
// truth: fails
// expect: unknown(W006)
// A shift by the width of the number has no defined result; many processors shift by 0.
int main(void)
{
    unsigned places = 0;
    while (places < 32)
        places += 8;
    unsigned mask = 1u << places;
    while (mask == 1)
        ;
    return 0;
}
