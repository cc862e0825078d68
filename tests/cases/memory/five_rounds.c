// property: reach
// truth: holds
// expect: proved
// Five cells hold 0 to 4; without abstraction that is known exactly.
#include <stdlib.h>

void reach_error(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *cell = malloc(sizeof *cell);
        cell->value = i;
        cell->next = list;
        list = cell;
    }
    for (int i = 4; i >= 0; i--) {
        if (list->value != i) {
            reach_error();
        }
        list = list->next;
    }
    return 0;
}
