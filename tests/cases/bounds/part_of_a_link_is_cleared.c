// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry behind
// Some bytes of a link that are zero make no null pointer of it.
#include <string.h>
struct wagon {
  struct wagon *next;
  int load;
};
int behind(struct wagon *first, void *bytes, unsigned long n) {
  if (!first || !bytes) return 0;
  memset(bytes, 0, n);
  return first->next ? first->next->load : 0;
}
