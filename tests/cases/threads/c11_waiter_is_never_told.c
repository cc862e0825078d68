// property: thread-termination
// thread: waiter
// truth: fails
// expect: refuted
// why: nobody sets `ready` for certain, and each wait may be in vain.
#include <threads.h>

static int ready;
static mtx_t gate;
static cnd_t told;

static int waiter(void *unused) {
    mtx_lock(&gate);
    while (!ready) cnd_wait(&told, &gate);
    mtx_unlock(&gate);
    return 0;
}

static int teller(void *unused) {
    mtx_lock(&gate);
    ready = 1;
    cnd_signal(&told);
    mtx_unlock(&gate);
    return 0;
}

int main(void) {
    thrd_t first, second;
    mtx_init(&gate, mtx_plain);
    cnd_init(&told);
    thrd_create(&first, waiter, 0);
    thrd_create(&second, teller, 0);
    thrd_join(first, 0);
    thrd_join(second, 0);
    return 0;
}
