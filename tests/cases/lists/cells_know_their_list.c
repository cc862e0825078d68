// property: memsafety
// truth: holds
// expect: proved
// Each cell of a doubly linked list points at the head that it belongs to.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct queue;

struct job {
    struct job *before, *behind;
    struct queue *queue;
};

struct queue {
    struct job *first, *last;
};

static void append(struct queue *queue, struct job *job) {
    job->queue = queue;
    job->behind = 0;
    job->before = queue->last;
    if (queue->last) {
        queue->last->behind = job;
    } else {
        queue->first = job;
    }
    queue->last = job;
}

static void cancel(struct job *job) {
    struct queue *queue = job->queue;
    if (job->before) {
        job->before->behind = job->behind;
    } else {
        queue->first = job->behind;
    }
    if (job->behind) {
        job->behind->before = job->before;
    } else {
        queue->last = job->before;
    }
    free(job);
}

int main(void) {
    struct queue queue = {0, 0};
    while (__VERIFIER_nondet_int()) {
        append(&queue, malloc(sizeof(struct job)));
    }
    while (queue.last) {
        cancel(queue.last);
    }
    return 0;
}
