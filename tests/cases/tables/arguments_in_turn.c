// property: memsafety
// truth: holds
// expect: proved
// Each argument of the program is read to its end.
int main(int argc, char **argv) {
  int n_dashes = 0;
  for (int i = 1; i < argc; i++) {
    for (const char *at = argv[i]; *at; at++) {
      if (*at == '-' && n_dashes < 100) n_dashes++;
    }
  }
  return n_dashes;
}
