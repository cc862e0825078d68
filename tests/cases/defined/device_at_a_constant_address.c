// property: termination
// truth: fails
// expect: unknown(W030)
//
// A number that is no null pointer may be the address of a device, which may say 0 for ever.

int main(void)
{
    while (*(volatile int *)0x40001000 == 0)
        ;
    return 0;
}
