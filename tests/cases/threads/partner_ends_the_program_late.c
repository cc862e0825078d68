// property: thread-termination
// thread: wait_for_off
// truth: fails
// expect: refuted
// why: the program ends soon behind `on = 1`; but nobody need go on to its end.
#include <pthread.h>
#include <stdlib.h>

static int on;

void *switch_on(void *unused)
{
    unsigned rounds = 0;
    on = 1;
    exit(rounds);
}

void *wait_for_off(void *unused)
{
    unsigned waited = 0;
    while (on == 1)
        waited = waited + 1;
    return 0;
}

int main(void)
{
    pthread_t switching, waiting;
    pthread_create(&switching, 0, switch_on, 0);
    pthread_create(&waiting, 0, wait_for_off, 0);
    return 0;
}
