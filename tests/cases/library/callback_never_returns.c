// property: termination
// truth: fails
// expect: refuted

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    while (*(const int *)left != *(const int *)right) {
    }
    return 0;
}

int main(void)
{
    int numbers[] = { 2, 1 };
    qsort(numbers, 2, sizeof numbers[0], compare);
    return 0;
}
