// property: termination
// truth: holds
// expect: proved
//
// No run that is tried comes so far: that runs end in the loop without an overflow, the assumption
// in it says.

extern void __VERIFIER_assume(int);

int main(void)
{
    for (int i = 0;; i++)
        __VERIFIER_assume(i < 1000000);
}
