// property: memsafety
// truth: holds
// expect: proved
// options: --entry count
// As many bytes lie behind the structure as its member says.
struct packet { int length; char bytes[]; };

int count(const struct packet *packet) {
  int zeros = 0;
  for (int i = 0; i < packet->length; i++) zeros += packet->bytes[i] == 0;
  return zeros;
}
