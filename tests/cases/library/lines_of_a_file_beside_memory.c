// property: termination
// truth: holds
// expect: proved
// Where nothing is known of memory, it is known that files have an end.
#include <stdio.h>

struct world {
    int height;
    char *rows[64];
};

static void note(struct world *world, int at, char *row)
{
    world->rows[at % 64] = row;
    world->height++;
}

int main(void)
{
    struct world world = { 0 };
    char line[128];
    FILE *file = fopen("rows", "r");
    if (!file)
        return 1;
    while (world.height < 1000 && fgets(line, sizeof line, file))
        note(&world, world.height, line);
    fclose(file);
    return 0;
}
