// property: memsafety
// truth: holds
// expect: proved
// options: --entry second
// What lies behind an array of pointers is none of them.
struct entry { int key; struct entry *next; };
struct table { struct entry *heads[4]; int *numbers; };

int second(struct table *table) {
  return table->numbers ? table->numbers[1] : 0;
}
