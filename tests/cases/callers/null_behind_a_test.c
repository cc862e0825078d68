// property: memsafety
// truth: holds
// expect: proved
// options: --entry put
// A caller that gives no negative number has nothing to fear; without one there is none.
void put(int *at, int value) {
  int *other = 0;
  if (value < 0 && value > 0) *other = value;
  if (*at == value && *at != value) *other = value;
}
