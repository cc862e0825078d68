// property: termination
// truth: fails
// expect: unknown(W020)
// A variable that is a register holds what the machine puts there.
register long stack_pointer __asm__("rsp");

int main(void)
{
    while (stack_pointer != 0)
        ;
    return 0;
}
