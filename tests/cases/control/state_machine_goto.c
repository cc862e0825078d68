// property: termination
// truth: holds
// expect: proved
int input(void);
int main(void) {
    int tries = 5, state = 0;
again:
    switch (state) {
    case 0: state = 1; goto again;
    case 1:
        if (tries-- > 0) { state = input() ? 0 : 2; goto again; }
        break;
    case 2: state = 1; goto again;
    }
    return state;
}
