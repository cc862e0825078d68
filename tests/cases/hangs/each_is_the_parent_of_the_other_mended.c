// property: termination
// truth: holds
// expect: proved
// Only a root becomes a parent, and no more steps are made than there are members.
#include <stdio.h>

#define MOST 10

struct sets {
    int parent[MOST];
};

static int root_of(const struct sets *sets, int x)
{
    int steps = 0;
    while (sets->parent[x] != x) {
        x = sets->parent[x];
        if (++steps >= MOST)
            break;
    }
    return x;
}

static void join(struct sets *sets, int a, int b)
{
    sets->parent[root_of(sets, a)] = root_of(sets, b);
}

int main(void)
{
    struct sets sets;
    int a, b;
    for (int i = 0; i < MOST; i++)
        sets.parent[i] = i;
    while (scanf("%d %d", &a, &b) == 2)
        if (a >= 0 && a < MOST && b >= 0 && b < MOST)
            join(&sets, a, b);
    printf("%d\n", root_of(&sets, 0));
    return 0;
}
