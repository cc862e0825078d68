// property: termination
// truth: holds
// expect: proved

struct door {
    int is_open;
};

static int open(struct door *door)
{
    door->is_open = 1;
    return 3;
}

int main(void)
{
    struct door door = { 0 };
    open(&door);
    while (!door.is_open) {
    }
    return 0;
}
