// property: ltl
// ltl: F(answer == 1)
// truth: holds
// expect: proved
// A run that fails has done what it did before.
#include <assert.h>

int __VERIFIER_nondet_int(void);
int answer;

int main(void) {
    answer = 1;
    assert(__VERIFIER_nondet_int());
    return 0;
}
