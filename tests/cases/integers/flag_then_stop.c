// property: termination
// truth: holds
// expect: proved
// The flag is cleared in the first iteration at the latest after ten.
int __VERIFIER_nondet_int(void);

int main(void) {
    int running = 1, ticks = 0;
    while (running) {
        ticks++;
        if (ticks == 10 || __VERIFIER_nondet_int() == 0)
            running = 0;
    }
    return ticks;
}
