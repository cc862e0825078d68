// property: memsafety
// truth: fails
// expect: refuted
// A shelf takes three names; each command that is understood leads on to others.
#include <stdio.h>
#include <string.h>
static int n_names;
static char shelf[3][8];
int main(void) {
  char line[40], name[8];
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "put %7s", name) == 1) {
      strcpy(shelf[n_names++], name);
    } else if (strncmp(line, "drop", 4) == 0) {
      if (n_names > 0)
        n_names--;
    }
  }
  return 0;
}
