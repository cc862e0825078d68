// property: thread-termination
// thread: taker
// options: --int-model=math
// truth: holds
// expect: proved
// why: functions of these names are one step each: no copy comes back late.
#include <pthread.h>

static int left = 9;

void __VERIFIER_atomic_take(void) {
    left = left - 1;
}

void __VERIFIER_atomic_copy(void) {
    int seen = left;
    left = seen;
}

int __VERIFIER_atomic_look(void) {
    return left;
}

static void *taker(void *unused) {
    while (__VERIFIER_atomic_look() > 0) __VERIFIER_atomic_take();
    return 0;
}

static void *copier(void *unused) {
    for (;;) __VERIFIER_atomic_copy();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, taker, 0);
    pthread_create(&b, 0, copier, 0);
    pthread_join(a, 0);
    return 0;
}
