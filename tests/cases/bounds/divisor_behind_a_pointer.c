// property: memsafety
// truth: holds
// expect: proved
// options: --entry reduce
// A number of a caller must not be zero.
struct value { int number; };

void reduce(struct value *one, const struct value *other) {
  one->number %= other->number;
}
