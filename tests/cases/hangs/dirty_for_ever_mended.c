// property: termination
// truth: holds
// expect: proved
// The flag is lowered before each sweep, and sweeps are counted.
#include <stdbool.h>
#include <stdio.h>

static bool is_dirty = true;
static int cells[8];

static void sweep(void)
{
    is_dirty = false;
    for (int i = 0; i + 1 < 8; i++) {
        if (cells[i] > cells[i + 1]) {
            cells[i + 1] = cells[i];
            is_dirty = true;
        }
    }
}

int main(void)
{
    for (int i = 0; i < 8; i++)
        if (scanf("%d", &cells[i]) != 1)
            return 1;
    unsigned rounds = 0;
    while (is_dirty && rounds < 100) {
        sweep();
        rounds++;
    }
    printf("%u\n", rounds);
    return 0;
}
