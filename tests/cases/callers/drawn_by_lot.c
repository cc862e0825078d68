// property: memsafety
// truth: fails
// expect: refuted
// options: --entry roll
// What is drawn is no caller's to choose.
#include <stdlib.h>

void roll(int *at) {
  *at = rand();
  if (*at == 5) {
    int *other = 0;
    *other = 1;
  }
}
