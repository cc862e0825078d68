// property: memsafety
// truth: holds
// expect: proved
// options: --entry clear
// As many elements lie behind one member as another one says, and each may lead on or not.
struct entry { short kind; struct entry *next; };
struct table { int used; struct entry *entries; };

void clear(struct table *table) {
  for (int i = 0; i < table->used; i++) {
    struct entry *entry = &table->entries[i];
    if (entry->kind == 1 && entry->next) entry->next->kind = 0;
  }
}
