// property: memsafety
// truth: holds
// expect: proved
// options: --entry compare
// Two texts behind members, by the library.
#include <string.h>
struct entry { const char *name; int value; };

int compare(const struct entry *one, const struct entry *other) {
  return strcmp(one->name, other->name);
}
