// property: termination
// truth: fails
// expect: unknown(W020)
// Assembly with instructions may do anything, also without operands.
int main(void)
{
    __asm__ volatile("1: jmp 1b");
    return 0;
}
