// property: memsafety
// truth: fails
// expect: refuted
// options: --entry run
// What is called is null by then.
static int (*hook)(int);

void set(int (*other)(int)) { hook = other; }

int run(void) {
  hook = 0;
  return hook(1);
}
