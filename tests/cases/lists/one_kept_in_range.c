// property: reach
// truth: holds
// expect: proved
// Each level goes up to the limit and starts again at half of it, be there one tank or many.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void reach_error(void);

struct tank {
    struct tank *next;
    int level;
};

int main(void) {
    struct tank *tanks = malloc(sizeof *tanks);
    tanks->next = NULL;
    tanks->level = 25;
    while (__VERIFIER_nondet_int()) {
        int level = __VERIFIER_nondet_int();
        if (level < 25 || level > 50)
            continue;
        struct tank *more = malloc(sizeof *more);
        more->level = level;
        more->next = tanks;
        tanks = more;
    }
    for (;;) {
        for (struct tank *tank = tanks; tank != NULL; tank = tank->next) {
            if (tank->level < 25 || tank->level > 50)
                reach_error();
            if (tank->level == 50)
                tank->level /= 2;
            else
                tank->level++;
        }
    }
}
