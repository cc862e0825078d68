/* A library: no main, so each function that others can call is asked about by itself. */
#include <stdlib.h>

struct cell {
    struct cell *next;
    int key;
};

struct cell *find(struct cell *list, int key)
{
    while (list != NULL && list->key != key)
        list = list->next;
    return list;
}

void drop(struct cell *list)
{
    while (list != NULL) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
}

/* Hangs when step is 0 and there is anything to do. */
int round_up(int size, int step)
{
    int rounded = 0;
    while (rounded < size)
        rounded += step;
    return rounded;
}
