// property: ltl
// ltl: F(answer == 1)
// truth: fails
// expect: refuted
// A run that fails is over: what it has not done is never done.
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int answer;

int main(void) {
    if (__VERIFIER_nondet_int())
        reach_error();
    answer = 1;
    return 0;
}
