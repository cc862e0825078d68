// property: memsafety
// truth: fails
// expect: refuted
// It may go on to serve when the log is gone.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);

struct call {
    int floor;
    struct call *next;
};

int main(void) {
    struct call *waiting = 0, *served = 0, *current;
    int *log;
    int state = 0, n;
    while (1) {
        switch (state) {
        case 0:
            if (__VERIFIER_nondet_int() < 0) {
                while (waiting) {
                    current = waiting->next;
                    free(waiting);
                    waiting = current;
                }
                return 0;
            }
            current = malloc(sizeof *current);
            if (!current)
                return 1;
            current->floor = __VERIFIER_nondet_int();
            current->next = waiting;
            waiting = current;
            if (__VERIFIER_nondet_int())
                state = 1;
            break;
        case 1:
            log = malloc(10 * sizeof *log);
            if (!log)
                return 1;
            n = 0;
            state = 2;
            break;
        case 2:
            current = waiting;
            if (current == 0 || n == 10) {
                state = 4;
            } else {
                waiting = current->next;
                state = 3;
            }
            break;
        case 3:
            log[n++] = current->floor;
            current->next = served;
            served = current;
            state = 2;
            break;
        case 4:
            free(log);
            state = waiting ? 2 : 5;
            break;
        case 5:
            if (served == 0) {
                state = 0;
            } else {
                current = served;
                served = current->next;
                free(current);
            }
            break;
        }
    }
}
