// property: termination
// truth: fails
// expect: refuted
// The macros of C11.
#include <stdatomic.h>

static atomic_int count;
static _Atomic(int) flag = 1;

int main(void)
{
    int expected = 0;
    _Bool done = atomic_compare_exchange_strong(&count, &expected, 5);
    int old = atomic_exchange(&flag, 2);
    atomic_fetch_add(&count, 2);
    while (done && old == 1 && atomic_load(&count) == 7 && atomic_load(&flag) == 2)
        ;
    return 0;
}
