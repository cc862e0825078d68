// property: memsafety
// truth: holds
// expect: proved
// A field that is null in all nodes stays so, however many there are.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
  struct job *next;
  char *name;
};

int main(void) {
  struct job *all = NULL;
  while (__VERIFIER_nondet_int()) {
    struct job *job = malloc(sizeof *job);
    job->next = all;
    job->name = NULL;
    all = job;
  }
  while (all) {
    struct job *job = all;
    all = job->next;
    if (job->name)
      *job->name = 0;
    free(job);
  }
  return 0;
}
