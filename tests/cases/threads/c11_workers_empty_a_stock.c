// property: thread-termination
// thread: worker
// options: --int-model=math
// truth: holds
// expect: proved
// why: the number of jobs goes down under the mutex, and nobody adds any.
#include <threads.h>

int nondet(void);
static int jobs;
static mtx_t gate;

static int worker(void *unused) {
    int more = 1;
    while (more) {
        mtx_lock(&gate);
        if (jobs > 0) jobs--;
        else more = 0;
        mtx_unlock(&gate);
        thrd_yield();
    }
    return 0;
}

int main(void) {
    thrd_t first, second;
    int result;
    mtx_init(&gate, mtx_plain);
    jobs = nondet();
    thrd_create(&first, worker, 0);
    thrd_create(&second, worker, 0);
    thrd_join(first, &result);
    thrd_join(second, 0);
    mtx_destroy(&gate);
    return 0;
}
