// property: memsafety
// truth: holds
// expect: proved
// why: each size of the array is as good as any other that the counter says
#include <stdlib.h>

int main(int argc, char **argv) {
    int *numbers = NULL, n = 0, room = 0;
    for (int i = 1; i < argc; i++) {
        if (n == room) {
            int *longer = realloc(numbers, (room + 10) * sizeof *longer);
            if (longer == NULL)
                break;
            numbers = longer;
            room += 10;
        }
        numbers[n++] = argv[i][0];
    }
    free(numbers);
    return 0;
}
