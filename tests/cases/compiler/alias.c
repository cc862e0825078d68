// property: termination
// truth: fails
// expect: refuted
// A function that is another name of one that never returns.
void wait_for_ever(void)
{
    for (;;)
        ;
}

void rest(void) __attribute__((alias("wait_for_ever")));

int main(void)
{
    rest();
    return 0;
}
