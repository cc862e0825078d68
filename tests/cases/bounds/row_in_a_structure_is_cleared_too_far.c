// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry clear
// Behind the rows lies a link, half of which is cleared.
#include <string.h>
struct codes { unsigned char lengths[4][4]; const struct codes *base; };

int clear(struct codes *codes, int which) {
  unsigned char *row = codes->lengths[0];
  if (which < 0 || which > 4) return 0;
  memset(row + 4 * which, 1, 4);
  return codes->base ? codes->base->lengths[0][0] : 1;
}
