// property: memsafety
// truth: fails
// expect: refuted
// options: --entry clear
// All words of a structure are set, and one of them is half a pointer.
struct list { int length, kind; int *items; };

int clear(struct list *list) {
  int *words = (int *)list;
  for (int i = 0; i < (int)(sizeof *list / sizeof *words); i++) words[i] = 9;
  return list->items ? list->items[0] : 0;
}
