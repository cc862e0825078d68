// property: memsafety
// truth: holds
// expect: proved
// options: --entry put
// A caller may hand over so many elements.
void put(int *at) {
  at[1000] = 1;
}
