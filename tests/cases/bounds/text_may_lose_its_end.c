// property: memsafety
// truth: fails
// expect: unknown(W003)
// options: --entry length
// The byte that is written may be the one that ended the text.
unsigned length(char *text, int at) {
  unsigned bytes = 0;
  if (at >= 0 && at < 4) text[at] = 'x';
  while (text[bytes]) bytes++;
  return bytes;
}
