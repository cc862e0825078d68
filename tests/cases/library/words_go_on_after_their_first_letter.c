// property: termination
// truth: holds
// expect: proved
// A word is left behind its first letter at the earliest, for that is a letter or a digit, too.
#include <ctype.h>
static const char *at;

static int next(void) {
  while (isspace((unsigned char)*at)) at++;
  if (*at == '\0') return 0;
  if (isalpha((unsigned char)*at)) {
    while (isalnum((unsigned char)*at)) at++;
  } else {
    at++;
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  at = argv[1];
  while (next()) {
  }
  return 0;
}
