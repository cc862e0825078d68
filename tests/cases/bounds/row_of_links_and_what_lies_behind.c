// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry find
// Behind the table lies a number, which is no link.
struct entry { struct entry *next; const char *key; int value; };
struct table { struct entry *slots[32]; unsigned long n; };

int find(const struct table *table, unsigned key) {
  struct entry *const *slot = &table->slots[0];
  slot += key % 33;
  return *slot ? (*slot)->value : 0;
}
