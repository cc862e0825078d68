// property: termination
// truth: holds
// expect: proved
// One function with a loop, called from two places.
int __VERIFIER_nondet_int(void);

static int wait(int ticks) {
    int waited = 0;
    while (waited < ticks)
        waited++;
    return waited;
}

int main(void) {
    int first = wait(__VERIFIER_nondet_int());
    return first + wait(first + 1);
}
