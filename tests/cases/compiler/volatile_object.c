// property: termination
// truth: fails
// expect: refuted
// A volatile object may change between two reads.
volatile int state;

int main(void)
{
    state = 1;
    while (state != 0)
        ;
    return 0;
}
