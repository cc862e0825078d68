// property: memsafety
// truth: fails
// expect: refuted
// What the clock shows has nothing to do with what is lost, twice.
#include <stdlib.h>
#include <time.h>
static void lose(void) {
  long *block;
  block = malloc(sizeof *block);
}
int main(void) {
  time(NULL);
  lose();
  lose();
  return 0;
}
