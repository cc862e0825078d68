// property: memsafety
// truth: holds
// expect: proved
// why: Elements, members and what pointers lead to are all apart where nothing orders them.
#include <stdlib.h>
struct stack {
    int count;
    int room;
    int *items;
    char text[16];
};
static void push(struct stack *it, const int *from)
{
    it->items[it->count++] = *from++;
}
int main(void)
{
    struct stack it = {0};
    int row[3] = {1, 2, 3};
    int *next = row;
    int n = 0;
    int *length = &n;
    it.room = 3;
    it.items = malloc(3 * sizeof *it.items);
    if (!it.items) {
        return 1;
    }
    while (it.count < 3) {
        push(&it, row + it.count);
    }
    it.text[(*length)++] = *next++;
    row[0] = row[1] = 2;
    *length = *next = 1;
    n = row[0]++ + row[1]++;
    row[2] = row[1]--;
    free(it.items);
    return n > 100;
}
