// property: memsafety
// truth: fails
// expect: refuted
// As list_with_null_fields.c in the folder of shapes, but one node has a name, and
// that is no object.
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
  if (all && all->next)
    all->next->name = (char *)all->next + sizeof *all;
  while (all) {
    struct job *job = all;
    all = job->next;
    if (job->name)
      *job->name = 0;
    free(job);
  }
  return 0;
}
