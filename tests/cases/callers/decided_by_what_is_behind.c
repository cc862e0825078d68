// property: memsafety
// truth: fails
// expect: unknown(W002)
// options: --entry put
// Whether the first member is 4, its caller knows: no run of one caller tells of all.
struct pair { int first, second; };

void put(struct pair *pair) {
  int *other = 0;
  if (pair->first == 4) *other = 1;
}
