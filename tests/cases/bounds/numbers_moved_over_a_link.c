// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry shift
// Members are moved on by four bytes, numbers into a pointer.
#include <string.h>
struct list { int length, kind; int *items; };

int shift(struct list *list) {
  memmove(&list->kind, &list->length, 12);
  return list->items ? *list->items : 0;
}
