// property: memsafety
// truth: fails
// expect: refuted
// Each cell points at a head, but the last one is cancelled twice.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct queue;

struct job {
    struct job *before;
    struct queue *queue;
};

struct queue {
    struct job *last;
};

int main(void) {
    struct queue queue = {0};
    while (__VERIFIER_nondet_int()) {
        struct job *job = malloc(sizeof *job);
        job->queue = &queue;
        job->before = queue.last;
        queue.last = job;
    }
    while (queue.last) {
        struct job *job = queue.last;
        free(job);
        job->queue->last = job->before;
    }
    return 0;
}
