// property: termination
// truth: holds
// expect: proved
// A switch over states, each visited once.
int __VERIFIER_nondet_int(void);

enum state { START, READ, WRITE, STOP };

int main(void) {
    enum state state = START;
    while (state != STOP) {
        switch (state) {
        case START:
            state = __VERIFIER_nondet_int() ? READ : STOP;
            break;
        case READ:
            state = WRITE;
            break;
        default:
            state = STOP;
            break;
        }
    }
    return 0;
}
