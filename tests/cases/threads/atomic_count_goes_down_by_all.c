// property: thread-termination
// thread: taker
// options: --int-model=math
// truth: holds
// expect: proved
// why: updates of an atomic object are one step: none is lost.
#include <pthread.h>
#include <stdatomic.h>

int nondet(void);
static atomic_int left;

static void *taker(void *unused) {
    while (left > 0) left--;
    return unused;
}

static void *helper(void *unused) {
    while (nondet()) left -= 2;
    return unused;
}

int main(void) {
    pthread_t first, second;
    atomic_store(&left, nondet());
    pthread_create(&first, 0, taker, 0);
    pthread_create(&second, 0, helper, 0);
    pthread_join(first, 0);
    return 0;
}
