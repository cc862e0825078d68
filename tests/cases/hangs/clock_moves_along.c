// property: termination
// truth: holds
// expect: unknown(W030)
// What the clock shows moves on through the variables until it decides.
#include <time.h>
int main(void) {
  long first = time(0), second = 0, third = 0;
  while (third == 0) {
    third = second;
    second = first;
  }
  return 0;
}
