// A queue with a pointer to its last link: jobs are added at the end, taken
// from the front and freed.
#include <stdlib.h>

struct job {
    int retries;
    struct job *next;
};

struct queue {
    struct job *first;
    struct job **end;
};

int __VERIFIER_nondet_int(void);

static void put(struct queue *queue, struct job *job) {
    job->next = NULL;
    *queue->end = job;
    queue->end = &job->next;
}

static struct job *take(struct queue *queue) {
    struct job *job = queue->first;
    queue->first = job->next;
    if (queue->first == NULL)
        queue->end = &queue->first;
    return job;
}

int main(void) {
    struct queue queue = { NULL, &queue.first };
    for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
        struct job *job = malloc(sizeof *job);
        job->retries = 0;
        put(&queue, job);
    }
    while (queue.first != NULL) {
        struct job *job = take(&queue);
        free(job);
    }
    return 0;
}
