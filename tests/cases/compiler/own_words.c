// property: reach
// truth: holds
// expect: proved
// Programs older than C23 may declare its words themselves.
extern void reach_error(void);

typedef enum { false, true } bool;
static int nullptr = 4;

static bool not_(bool it) { return it == false ? true : false; }

int main(void)
{
    int alignof = 3, constexpr = 2;
    bool set = not_(false);
    if (sizeof(bool) != 4 || set != 1 || nullptr + alignof + constexpr != 9)
        reach_error();
    return 0;
}
