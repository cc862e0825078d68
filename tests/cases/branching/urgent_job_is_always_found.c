// property: ctl
// ctl: AF(found == 1)
// truth: holds
// expect: proved
// why: the job at the end of the list is urgent, so that each search finds one.
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
    jobs = malloc(sizeof *jobs);
    jobs->urgent = 1;
    jobs->next = 0;
    build(nondet());
    struct job *job = jobs;
    while (job && !job->urgent)
        job = job->next;
    if (job)
        found = 1;
    done = 1;
    return 0;
}
