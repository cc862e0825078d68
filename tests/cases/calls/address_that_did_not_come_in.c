// property: memsafety
// truth: fails
// expect: refuted
// options: --entry ask
// Functions whose addresses come in are taken to be there. This one did not come in.
struct guest { int (*greet)(int); int age; };

void *malloc(unsigned long);
void free(void *);

int ask(int age) {
  struct guest *guest = malloc(sizeof *guest);
  guest->age = age;
  int answer = guest->greet(guest->age);
  free(guest);
  return answer;
}
