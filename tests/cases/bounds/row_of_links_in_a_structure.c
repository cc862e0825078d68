// property: memsafety
// truth: holds
// expect: proved
// options: --entry find
// The table is a member, and what lies in each of its elements is a link by its type.
struct entry { struct entry *next; const char *key; int value; };
struct table { unsigned long n; struct entry *slots[32]; };

int find(const struct table *table, unsigned key) {
  for (const struct entry *entry = table->slots[key % 32]; entry; entry = entry->next)
    if (entry->value == (int)key) return 1;
  return 0;
}
