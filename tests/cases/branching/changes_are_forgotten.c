// property: ctl
// ctl: AG(EF(mode == 0))
// truth: fails
// expect: unknown(W040)
// why: when a run has dropped its list, mode 0 is remembered nowhere.
#include <stdlib.h>

int nondet(void);
struct change { int before; struct change *next; };
struct change *changes;
int mode;

static void change(int to) {
    struct change *fresh = malloc(sizeof *fresh);
    fresh->before = mode;
    fresh->next = changes;
    changes = fresh;
    mode = to;
}

static void undo(void) {
    struct change *last = changes;
    mode = last->before;
    changes = last->next;
    free(last);
}

int main(void) {
    change(1);
    for (;;) {
        if (nondet())
            changes = 0;
        if (changes && nondet())
            undo();
        else
            change(nondet() ? 1 : 2);
    }
}
