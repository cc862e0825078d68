// property: memsafety
// truth: holds
// expect: proved
// options: --entry raise
// A text of a caller, changed in place: its end stays where it is.
void raise(char *text) {
  for (; *text; text++) {
    if (*text >= 'a' && *text <= 'z') *text -= 'a' - 'A';
  }
}
