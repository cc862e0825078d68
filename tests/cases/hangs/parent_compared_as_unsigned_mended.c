// property: termination
// truth: holds
// expect: proved
// The root's parent is -1, which is less than any place.
#include <stdio.h>

#define FIRST_PLACE 0

struct heap {
    int size;
    int keys[32];
};

static int parent_of(int place)
{
    return place <= 0 ? -1 : (place - 1) / 2;
}

static int depth_of(int place)
{
    int depth = 0;
    while (place >= FIRST_PLACE) {
        if (depth < 100)
            depth++;
        place = parent_of(place);
    }
    return depth;
}

int main(void)
{
    struct heap heap = { .size = 0 };
    int key;
    while (heap.size < 32 && scanf("%d", &key) == 1)
        heap.keys[heap.size++] = key;
    for (int place = 0; place < heap.size; place++)
        printf("%d at depth %d\n", heap.keys[place], depth_of(place));
    return 0;
}
