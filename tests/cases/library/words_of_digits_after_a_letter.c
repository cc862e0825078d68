// property: termination
// truth: fails
// expect: refuted
// What begins with a letter is skipped as if it were a number.
#include <ctype.h>
static const char *at;

static int next(void) {
  while (isspace((unsigned char)*at)) at++;
  if (*at == '\0') return 0;
  if (isalpha((unsigned char)*at)) {
    while (isdigit((unsigned char)*at)) at++;
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
