// property: termination
// truth: holds
// expect: proved
// options: --entry f
// No number of the type is larger: what comes in has its range.
#include <limits.h>
void f(int n) {
  while (n > INT_MAX) {
    n++;
    n--;
  }
}
