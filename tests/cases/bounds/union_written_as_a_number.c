// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry count
// The pointer of a union is followed after its number was changed.
struct item { int key; struct item *next; };
struct value { int kind; union { int number; struct item *item; } of; };

int count(struct value *value, struct item *item) {
  value->of.item = item;
  value->of.number++;
  return value->of.item ? value->of.item->key : 0;
}
