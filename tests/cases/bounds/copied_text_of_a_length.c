// property: memsafety
// truth: holds
// expect: proved
// options: --entry copied
// One byte more than an object can have does not come round to none.
#include <stdlib.h>
#include <string.h>

char *copied(const char *text, size_t n) {
  char *copy = malloc(n + 1);
  if (!copy) return NULL;
  memcpy(copy, text, n);
  copy[n] = '\0';
  return copy;
}
