// property: memsafety
// truth: fails
// expect: refuted
// The place is that of before the call or behind it; before it the row is too short.
#include <stdlib.h>
static int *row, other[8];

static int moved(void) {
  row = other;
  return 3;
}

int main(void) {
  int short_one[2];
  row = short_one;
  row[5] = moved();
  return row[5] != 3;
}
