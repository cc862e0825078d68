// property: reach
// truth: fails
// expect: refuted
// Of many words of commands few lead to the error, but the automaton has few states.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

static int is_open, is_dirty, n_commands;

static int opened(void)
{
    is_open = 1;
    return __VERIFIER_nondet_int() == 3;
}

int main(void)
{
    int step = 0;
    while (__VERIFIER_nondet_int()) {
        n_commands++;
        switch (__VERIFIER_nondet_int()) {
        case 0:
            if (step == 0 && opened())
                step = 1;
            break;
        case 1:
            if (step == 1)
                step = 2;
            else
                step = 0;
            break;
        case 2:
            if (step == 2 && is_open) {
                is_dirty = 1;
                step = 3;
            }
            break;
        case 3:
            if (step == 3) {
                is_open = 0;
                step = 4;
            } else if (step == 4) {
                is_dirty = 0;
                step = 0;
            }
            break;
        case 4:
            if (is_dirty && !is_open && step == 4)
                __VERIFIER_error();
            break;
        default:
            break;
        }
    }
    return 0;
}
