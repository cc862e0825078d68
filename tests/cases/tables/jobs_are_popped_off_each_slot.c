// property: memsafety
// truth: holds
// expect: proved
// why: each slot is empty when its loop ends
#include <stdio.h>
#include <stdlib.h>

struct job { int at; struct job *next; };

static void drop(struct job **jobs, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        struct job *job;
        while ((job = jobs[i]) != NULL) {
            jobs[i] = job->next;
            free(job);
        }
    }
    free(jobs);
}

int main(void) {
    unsigned n = 0;
    int at;
    if (scanf("%u", &n) != 1 || n == 0 || n > 1000)
        return 1;
    struct job **jobs = calloc(n, sizeof *jobs);
    if (jobs == NULL)
        return 1;
    while (scanf("%d", &at) == 1) {
        struct job *job = malloc(sizeof *job);
        if (job == NULL)
            break;
        unsigned slot = (unsigned)at % n;
        job->at = at;
        job->next = jobs[slot];
        jobs[slot] = job;
    }
    drop(jobs, n);
    return 0;
}
