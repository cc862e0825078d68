// property: termination
// truth: fails
// expect: refuted
// Two functions of one name for the assembler are one function.
int wait_for_ever(void) __asm__("pause_here");
int pause_here(void);

int wait_for_ever(void)
{
    for (;;)
        ;
}

int main(void)
{
    return pause_here();
}
