// property: memsafety
// truth: holds
// expect: proved
// why: the first rounds of the inner loop are those of small matrices, whose sizes are constants
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    size_t rows, columns;
    double *values;
};

static struct matrix *make(size_t rows, size_t columns) {
    struct matrix *made = malloc(sizeof *made);
    if (made == NULL)
        return NULL;
    made->rows = rows;
    made->columns = columns;
    made->values = malloc(rows * columns * sizeof(double));
    if (made->values == NULL) {
        free(made);
        return NULL;
    }
    return made;
}

static void drop(struct matrix *it) {
    if (it != NULL) {
        free(it->values);
        free(it);
    }
}

static double trace_of_product(const struct matrix *left, const struct matrix *right) {
    double trace = 0;
    for (size_t row = 0; row < left->rows; row++)
        for (size_t at = 0; at < left->columns; at++)
            trace += left->values[row * left->columns + at] * right->values[at * right->columns + row];
    return trace;
}

int main(int argc, char **argv) {
    int size = argc > 1 ? atoi(argv[1]) : 3;
    if (size < 1 || size > 200)
        return 1;
    struct matrix *left = make(size, size), *right = make(size, size);
    if (left != NULL && right != NULL) {
        for (int row = 0; row < size; row++)
            for (int column = 0; column < size; column++) {
                left->values[row * size + column] = row - column;
                right->values[row * size + column] = row == column;
            }
        printf("%f\n", trace_of_product(left, right));
    }
    drop(left);
    drop(right);
    return 0;
}
