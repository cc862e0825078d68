// property: memsafety
// truth: fails
// expect: refuted
// why: The row that is put in the middle is shorter.
#include <stdio.h>
#include <stdlib.h>
static void drop(double **table, int rows)
{
    for (int i = 0; i < rows; i++) {
        free(table[i]);
    }
    free(table);
}
static double **make(int rows, int columns)
{
    double **table = malloc(rows * sizeof *table);
    if (!table) {
        return NULL;
    }
    for (int i = 0; i < rows; i++) {
        table[i] = calloc(columns, sizeof **table);
        if (!table[i]) {
            drop(table, i);
            return NULL;
        }
    }
    return table;
}
int main(void)
{
    int rows, columns;
    if (scanf("%d %d", &rows, &columns) != 2) {
        return 1;
    }
    if (rows < 1 || rows > 100 || columns < 1 || columns > 100) {
        return 1;
    }
    double **table = make(rows, columns);
    if (!table) {
        return 1;
    }
    free(table[rows / 2]);
    table[rows / 2] = malloc(sizeof **table);
    if (!table[rows / 2]) {
        drop(table, rows);
        return 1;
    }
    double *first = table[0];
    table[0] = table[rows - 1];
    table[rows - 1] = first;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            table[i][j] = i * columns + j;
        }
    }
    drop(table, rows);
    return 0;
}
