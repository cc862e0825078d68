// property: memsafety
// truth: holds
// expect: proved
// why: slots that are emptied in part are used again
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 32

struct timer { int due; struct timer *next; };

static struct timer *slots[SLOTS];

int main(void) {
    int now;
    while (scanf("%d", &now) == 1) {
        if (now >= 0) {
            struct timer *timer = malloc(sizeof *timer);
            if (timer == NULL)
                break;
            timer->due = now;
            timer->next = slots[now % SLOTS];
            slots[now % SLOTS] = timer;
            continue;
        }
        for (int i = 0; i < SLOTS; i++) {
            while (slots[i] != NULL && slots[i]->due < 100) {
                struct timer *timer = slots[i];
                slots[i] = timer->next;
                free(timer);
            }
        }
    }
    return 0;
}
