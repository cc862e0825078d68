// property: termination
// truth: fails
// expect: refuted
// A node that is pushed while it is the first one becomes its own successor.
#include <stdio.h>

struct timer {
    int due;
    struct timer *next;
};

static struct timer *first;

static void set(struct timer *timer, int due)
{
    timer->due = due;
    timer->next = first;
    first = timer;
}

static int next_due(void)
{
    int due = 1000000;
    for (struct timer *timer = first; timer != NULL; timer = timer->next)
        if (timer->due < due)
            due = timer->due;
    return due;
}

int main(void)
{
    static struct timer blink = { 0, NULL }, sleep = { 0, NULL };
    set(&sleep, 500);
    set(&blink, 20);
    if (getchar() == 'b')
        set(&blink, 40);
    printf("%d\n", next_due());
    return 0;
}
