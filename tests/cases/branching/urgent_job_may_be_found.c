// property: ctl
// ctl: EF(found == 1) && EF(done == 1 && found == 0)
// truth: holds
// expect: proved
// why: a job may be urgent, and there may be none.
#include <stdlib.h>

int nondet(void);
struct job { int urgent; struct job *next; };
struct job *jobs;
int found, done;

static void build(int n) {
    for (int i = 0; i < n; i++) {
        struct job *fresh = malloc(sizeof *fresh);
        fresh->urgent = nondet() ? 1 : 0;
        fresh->next = jobs;
        jobs = fresh;
    }
}

int main(void) {
    build(nondet());
    struct job *job = jobs;
    while (job && !job->urgent)
        job = job->next;
    if (job)
        found = 1;
    done = 1;
    return 0;
}
