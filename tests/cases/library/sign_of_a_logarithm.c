// property: memsafety
// truth: fails
// expect: unknown(W001)
// A variable of the library changes with a call.
#include <math.h>

int main(void) {
  int one = 1, *sign = &one;
  double value;
  signgam = 1;
  value = lgamma(-0.5);
  if (signgam != 1) sign = 0;
  return *sign + (value > 0);
}
