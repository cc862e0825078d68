// property: memsafety
// truth: holds
// expect: proved
// options: --entry push
// As many are in use as there are at most, and the row is as long as that says.
#include <stdlib.h>

struct row { int *items; size_t n, room; };

int push(struct row *row, int item) {
  if (row->n == row->room) {
    size_t room = row->room ? 2 * row->room : 8;
    int *items = realloc(row->items, room * sizeof *items);
    if (!items) return -1;
    row->items = items;
    row->room = room;
  }
  row->items[row->n++] = item;
  return 0;
}
