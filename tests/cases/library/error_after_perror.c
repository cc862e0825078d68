// property: memsafety
// truth: fails
// expect: unknown(W001)
// What is printed may fail, and leaves a number of its own behind.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int *number = malloc(sizeof *number);
  if (!number) return 1;
  errno = 0;
  perror("here");
  if (errno != 0) {
    free(number);
    number = NULL;
  }
  *number = 1;
  free(number);
  return 0;
}
