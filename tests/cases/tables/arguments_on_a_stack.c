// property: memsafety
// truth: holds
// expect: proved
// The number of values on the stack is no index of the arguments.
#include <ctype.h>
#include <stdlib.h>
static long stack[16];
static int n_values;

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *text = argv[i];
    if (isdigit((unsigned char)text[0])) {
      long value = 0;
      while (isdigit((unsigned char)*text)) value = (value * 10 + (*text++ - '0')) % 1000;
      if (n_values == 16) return 1;
      stack[n_values++] = value;
    } else {
      if (n_values < 2) return 1;
      n_values--;
      if (text[0] == '+') stack[n_values - 1] += stack[n_values];
    }
  }
  return 0;
}
