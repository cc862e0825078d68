// property: termination
// truth: fails
// expect: refuted
// Not both.
int main(void)
{
    int bits = 3;
    unsigned char narrow = 255;
    __sync_fetch_and_nand(&bits, 1);
    __atomic_nand_fetch(&narrow, 15, __ATOMIC_RELAXED);
    while (bits == -2 && narrow == 240)
        ;
    return 0;
}
