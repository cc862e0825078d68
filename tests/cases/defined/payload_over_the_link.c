// property: termination
// truth: fails
// expect: unknown(W036)
// options: --entry unload
// What is cleared may be a part of a link, which then leads elsewhere.
#include <string.h>
struct wagon {
  struct wagon *next;
  void *load;
  unsigned bytes;
};
void unload(struct wagon *wagon) {
  while (wagon) {
    memset(wagon->load, 0, wagon->bytes);
    wagon = wagon->next;
  }
}
