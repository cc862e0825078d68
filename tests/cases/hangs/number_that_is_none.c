// property: termination
// truth: fails
// expect: refuted
// What is no number stays in the input, and is read again.
#include <stdio.h>

struct menu {
    int n_choices;
    int choice;
};

static int choose(struct menu *menu)
{
    menu->choice = 0;
    while (menu->choice < 1 || menu->choice > menu->n_choices) {
        printf("1 to %d? ", menu->n_choices);
        scanf("%d", &menu->choice);
    }
    return 1;
}

int main(void)
{
    struct menu menu = { 4, 0 };
    if (!choose(&menu))
        return 1;
    switch (menu.choice) {
    case 1:
        printf("new\n");
        break;
    case 2:
        printf("open\n");
        break;
    default:
        printf("quit\n");
        break;
    }
    return 0;
}
