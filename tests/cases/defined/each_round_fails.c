// property: termination
// truth: holds
// expect: unknown(W002)
//
// The loop counts to ten whatever memory holds, but no run comes to its second round: all
// pointers are null. A run is seen to fail there, and none to leave.

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *places[4] = {0, 0, 0, 0};
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n < 4) {
        int i = 0;
        do {
            *places[n] = 1;
            i++;
        } while (i < 10);
    }
    return 0;
}
