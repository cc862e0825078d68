// property: memsafety
// truth: holds
// expect: proved
// options: --entry fill
// The bytes that are written are no part of the length beside them.
struct buffer { int length; char *bytes; };

void fill(struct buffer *buffer) {
  for (int i = 0; i < buffer->length; i++) buffer->bytes[i] = 'x';
}
