// property: memsafety
// truth: holds
// expect: proved
// Both places go round as a remainder does.
#include <stdio.h>
enum { SLOTS = 16 };
static int slots[SLOTS], first, behind, used;
static int put(int number)
{
    if (used == SLOTS)
        return 0;
    slots[behind] = number;
    behind = (behind + 1) % SLOTS;
    used++;
    return 1;
}
static int take(int *number)
{
    if (used == 0)
        return 0;
    *number = slots[first];
    first = (first + 1) % SLOTS;
    used--;
    return 1;
}
int main(void)
{
    int c, number;
    while ((c = getchar()) != EOF) {
        if (c == '+')
            put(c);
        else if (take(&number))
            printf("%d\n", number);
    }
    return 0;
}
