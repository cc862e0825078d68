// property: termination
// truth: fails
// expect: refuted
// In a ring of an odd number of cells, two steps at a time pass the head.
#include <stdio.h>
#include <stdlib.h>

struct cell {
    int value;
    struct cell *next;
};

static void insert(struct cell *head, int value)
{
    struct cell *cell = malloc(sizeof *cell);
    cell->value = value;
    cell->next = head->next;
    head->next = cell;
}

static int sum_of_every_second(struct cell *head)
{
    int sum = 0;
    struct cell *at = head->next;
    while (at != head) {
        sum ^= at->value;
        at = at->next->next;
    }
    return sum;
}

int main(void)
{
    struct cell head = { 0, &head };
    int value;
    while (scanf("%d", &value) == 1)
        insert(&head, value);
    printf("%d\n", sum_of_every_second(&head));
    return 0;
}
