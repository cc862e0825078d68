// property: reach
// truth: fails
// expect: unknown(W012)
// options: --entry get
// The first call of all would fail: who calls `get` is to call `begin` before, and asserts that.
#include <assert.h>
static int state;

void begin(void)
{
    state = 77;
}

int get(void)
{
    assert(state == 77);
    return state;
}
