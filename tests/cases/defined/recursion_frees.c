// property: termination
// truth: holds
// expect: proved
// options: --entry drop
// A tree is given up from the leaves on, by a function that may be replaced.
#include <stdlib.h>

struct value;

struct array {
    struct value **items;
    size_t count;
};

struct value {
    int type;
    union {
        char *text;
        struct array *array;
    } of;
};

static void (*give_up)(void *) = free;

void replace(void (*other)(void *))
{
    give_up = other;
}

void drop(struct value *value)
{
    if (!value)
        return;
    if (value->type == 1) {
        give_up(value->of.text);
    } else if (value->type == 2) {
        struct array *array = value->of.array;
        for (size_t i = 0; i < array->count; i++)
            drop(array->items[i]);
        give_up(array->items);
        give_up(array);
    }
    give_up(value);
}
