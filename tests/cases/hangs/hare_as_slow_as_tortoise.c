// property: termination
// truth: fails
// expect: refuted
// Both go on by one node, and never meet in a ring of several.
#include <stdio.h>

struct state {
    int id;
    struct state *next;
};

static int runs_in_circles(struct state *start)
{
    struct state *tortoise = start;
    struct state *hare = start->next;
    while (hare != NULL && hare->next != NULL) {
        if (hare == tortoise)
            return 1;
        tortoise = tortoise->next;
        hare = hare->next;
    }
    return 0;
}

int main(void)
{
    struct state idle = { 0, NULL }, busy = { 1, NULL }, done = { 2, NULL };
    idle.next = &busy;
    busy.next = &done;
    if (getchar() == 'r')
        done.next = &idle;
    if (runs_in_circles(&idle))
        printf("it runs in circles\n");
    return 0;
}
