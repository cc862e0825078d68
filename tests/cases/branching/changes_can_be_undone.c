// property: ctl
// ctl: AG(EF(mode == 0))
// truth: holds
// expect: proved
// why: the oldest change remembers mode 0, and undoing all changes leads there.
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
    for (;;) {
        if (changes && nondet())
            undo();
        else
            change(nondet() ? 1 : 2);
    }
}
