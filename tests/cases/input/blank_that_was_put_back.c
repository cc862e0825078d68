// property: termination
// truth: holds
// expect: unknown(W020)
// A blank is a byte like others where `scanf` does not skip it.
#include <stdio.h>
int main(void) {
  int c = getchar();
  if (c == ' ') {
    char again;
    ungetc(c, stdin);
    while (scanf("%c", &again) != 1) {
    }
  }
  return 0;
}
