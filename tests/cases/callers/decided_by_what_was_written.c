// property: memsafety
// truth: fails
// expect: refuted
// options: --entry put
// The member was written just before: no caller decides about it.
struct pair { int first, second; };

void put(struct pair *pair, int second) {
  int *other = 0;
  pair->first = 4;
  pair->second = second;
  if (pair->first == 4) *other = 1;
}
