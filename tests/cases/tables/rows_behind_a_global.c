// property: memsafety
// truth: holds
// expect: proved
// The call that gives a row changes nothing of where the rows stand.
#include <stdlib.h>
static long **rows;

int main(void) {
  rows = malloc(10 * sizeof *rows);
  for (int i = 0; i < 10; i++) rows[i] = malloc(10 * sizeof **rows);
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++) rows[i][j] = i;
  for (int i = 0; i < 10; i++) free(rows[i]);
  free(rows);
  return 0;
}
