// property: termination
// truth: holds
// expect: proved
// options: --entry clear
// A node that is cleared whole leads nowhere.
#include <string.h>
struct wagon {
  struct wagon *next;
  void *load;
};
void clear(struct wagon *wagon) {
  while (wagon) {
    struct wagon *next = wagon->next;
    memset(wagon, 0, sizeof *wagon);
    wagon = next;
  }
}
