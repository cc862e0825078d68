// property: termination
// truth: fails
// expect: refuted
// Two reads of a volatile object may differ.
volatile int state;

int main(void)
{
    if (state != state)
        for (;;)
            ;
    return 0;
}
