// property: termination
// truth: fails
// expect: refuted
// What the first number is, the clock decides: it may be odd.
#include <stdlib.h>
#include <time.h>
int main(void) {
  srand((unsigned)time(NULL));
  int first = rand();
  while (first % 2 == 1) {
  }
  return 0;
}
