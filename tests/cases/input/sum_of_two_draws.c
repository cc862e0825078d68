// property: memsafety
// truth: fails
// expect: refuted
// Which of the numbers is drawn first makes no difference.
#include <stdlib.h>
int main(void) {
  int dice[12] = {0};
  int sum = rand() % 6 + 1 + rand() % 6 + 1;
  dice[sum] = 1;
  return dice[0];
}
