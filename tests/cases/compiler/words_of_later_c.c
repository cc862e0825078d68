// property: reach
// truth: holds
// expect: proved
// Attributes and words of C23, and old forms of GNU C.
extern void reach_error(void);

[[nodiscard]] static int one(void) { return 1; }
static int kind([[maybe_unused]] int unused, int key)
{
    [[maybe_unused]] int found = 0;
    switch (key) {
    case 1:
        found++;
        [[fallthrough]];
    default:
        found++;
    }
    return found;
}
[[noreturn]] [[gnu::cold]] static void stop(void)
{
    for (;;)
        ;
}
struct [[packed, other::packed]] pair {
    char first;
    int second;
};
static_assert(sizeof(struct pair) == 8);

int table[3] = { [1] 5, [2] 7 };
struct point { int x, y; } point = { y: 3 };
alignas(16) static thread_local bool flag = true;

int main(void)
{
    constexpr int three = 3;
    int *nothing = nullptr;
    bool is_off = false;
    if (is_off)
        stop();
    if (!flag || nothing || one() != true || kind(0, 1) != 2 || kind(0, 2) != 1)
        reach_error();
    if (table[1] + table[2] != 12 || point.y != three || point.x)
        reach_error();
    return 0;
}
