// property: memsafety
// truth: holds
// expect: proved
// options: --entry ask_all
// It holds if the functions behind the addresses leave the list as it is, which the report says.
struct guest { struct guest *next; int (*greet)(struct guest *); };

int ask_all(struct guest *first) {
  int answers = 0;
  for (struct guest *guest = first; guest; guest = guest->next) answers += guest->greet(guest) > 0;
  return answers;
}
