// property: termination
// truth: fails
// expect: refuted
// A job that fails is put at the end of the queue, and a note that it failed behind it: the
// queue gets longer and longer.
#include <stdbool.h>
#include <stdlib.h>

struct job {
    int number;
    int tries;
    struct job *next;
};

extern int __VERIFIER_nondet_int(void);

static void append(struct job **queue, struct job *job)
{
    struct job **at = queue;
    while (*at != NULL)
        at = &(*at)->next;
    job->next = NULL;
    *at = job;
}

static struct job *new_job(int number)
{
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
        exit(1);
    job->number = number;
    job->tries = 0;
    job->next = NULL;
    return job;
}

static bool is_done(struct job *job)
{
    return __VERIFIER_nondet_int() == job->number;
}

int main(void)
{
    struct job *queue = new_job(1);
    while (queue != NULL) {
        struct job *job = queue;
        queue = job->next;
        if (is_done(job)) {
            free(job);
        } else {
            job->tries++;
            append(&queue, job);
            append(&queue, new_job(0));
        }
    }
    return 0;
}
