// property: thread-termination
// thread: taker
// truth: fails
// expect: refuted
// why: the helper may write back what it read before the taker took one.
#include <pthread.h>

int nondet(void);
static int left = 2;

static void *taker(void *unused) {
    while (left > 0) left--;
    return unused;
}

static void *helper(void *unused) {
    while (nondet()) left += 0;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, taker, 0);
    pthread_create(&second, 0, helper, 0);
    pthread_join(first, 0);
    return 0;
}
