// property: memsafety
// truth: fails
// expect: unknown(W003)
// options: --entry length
// Four bytes of the text are written at once, and its end may be among them.
unsigned length(char *text) {
  unsigned bytes = 0;
  *(int *)text = 0x01010101;
  while (text[bytes]) bytes++;
  return bytes;
}
