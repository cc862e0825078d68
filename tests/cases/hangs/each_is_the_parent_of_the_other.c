// property: termination
// truth: fails
// expect: refuted
// A root's new parent may be below the root.
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
        if (steps < MOST)
            steps++;
    }
    return x;
}

static void join(struct sets *sets, int a, int b)
{
    sets->parent[root_of(sets, a)] = b;
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
