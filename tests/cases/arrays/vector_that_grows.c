// property: memsafety
// truth: holds
// expect: proved
// There is room for as many numbers as the vector says, however often it has grown.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    long *numbers;
    size_t used, room;
};

static int append(struct vector *vector, long number)
{
    if (vector->used == vector->room) {
        size_t room = vector->room ? 2 * vector->room : 8;
        long *numbers = realloc(vector->numbers, room * sizeof *numbers);
        if (!numbers)
            return -1;
        vector->numbers = numbers;
        vector->room = room;
    }
    vector->numbers[vector->used++] = number;
    return 0;
}

int main(void)
{
    struct vector vector = { 0 };
    long number, sum = 0;
    while (scanf("%ld", &number) == 1)
        if (append(&vector, number))
            break;
    for (size_t i = 0; i < vector.used; i++)
        sum ^= vector.numbers[i];
    printf("%ld\n", sum);
    free(vector.numbers);
    return 0;
}
