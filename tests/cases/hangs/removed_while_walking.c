// property: termination
// truth: fails
// expect: refuted
// A node that is taken out points at itself, and the walk goes on from there.
#include <stdio.h>
#include <stdlib.h>

struct job {
    struct job *next, *previous;
    int priority;
};

static void insert_after(struct job *place, struct job *job)
{
    job->next = place->next;
    job->previous = place;
    place->next->previous = job;
    place->next = job;
}

static void take_out(struct job *job)
{
    job->previous->next = job->next;
    job->next->previous = job->previous;
    job->next = job;
    job->previous = job;
}

static void drop_idle(struct job *queue)
{
    for (struct job *job = queue->next; job != queue; job = job->next)
        if (job->priority == 0)
            take_out(job);
}

int main(void)
{
    struct job queue;
    int priority;
    queue.next = queue.previous = &queue;
    while (scanf("%d", &priority) == 1) {
        struct job *job = malloc(sizeof *job);
        job->priority = priority;
        insert_after(&queue, job);
    }
    drop_idle(&queue);
    return 0;
}
