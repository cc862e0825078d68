// property: memsafety
// truth: holds
// expect: proved
// How many elements there are is read: no block has a negative number of bytes, and no number
// that is read is larger than its type, so that the index does not wrap around behind the sort.
#include <stdio.h>
#include <stdlib.h>

static void sort(int *elements, int n) {
    for (int done = 1; done <= n / 2; done++) {
        for (int i = done - 1; i < n - done; i++) {
            if (elements[i] > elements[i + 1]) {
                int more = elements[i];
                elements[i] = elements[i + 1];
                elements[i + 1] = more;
            }
        }
        for (int i = n - done - 1; i >= done; i--) {
            if (elements[i] < elements[i - 1]) {
                int less = elements[i];
                elements[i] = elements[i - 1];
                elements[i - 1] = less;
            }
        }
    }
}

int main(void) {
    int n, i;
    if (scanf("%d", &n) != 1) {
        return 1;
    }
    int *elements = malloc(n * sizeof *elements);
    for (i = 0; i < n; i++) {
        if (scanf("%d", &elements[i]) != 1) {
            elements[i] = 0;
        }
    }
    sort(elements, n);
    for (i = 0; i < n; i++) {
        printf("%d ", elements[i]);
    }
    free(elements);
    return 0;
}
