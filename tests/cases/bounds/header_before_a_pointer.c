// property: memsafety
// truth: holds
// expect: proved
// options: --entry length_of
// The header lies before the bytes that the pointer leads to.
struct header { unsigned char length, flags; };

unsigned length_of(const char *bytes) {
  if (bytes[-1] & 1) return 0;
  return ((const struct header *)(bytes - sizeof(struct header)))->length;
}
