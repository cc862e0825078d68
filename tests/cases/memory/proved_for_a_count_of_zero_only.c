// property: memsafety
// truth: fails
// expect: unknown(W036)
// options: --entry push
//
// The test should be `>=`: a full array is written behind its end. There is a proof for calls with
// `used` 0 and one element at least; a number that must have one value leaves out what the function
// is for.

#include <stdlib.h>

struct stack {
    int *items;
    size_t used, room;
};

int push(struct stack *stack, int item)
{
    if (stack->used > stack->room) {
        size_t room = stack->room ? 2 * stack->room : 8;
        int *items = realloc(stack->items, room * sizeof *items);
        if (!items)
            return -1;
        stack->items = items;
        stack->room = room;
    }
    stack->items[stack->used++] = item;
    return 0;
}
