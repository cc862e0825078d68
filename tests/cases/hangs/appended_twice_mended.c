// property: termination
// truth: holds
// expect: proved
// A node that is in the queue is not appended again.
#include <stddef.h>
#include <stdio.h>

struct message {
    int id;
    struct message *next;
};

struct queue {
    struct message *first, *last;
};

static void append(struct queue *queue, struct message *message)
{
    if (queue->last == message || message->next != NULL)
        return;
    message->next = NULL;
    if (queue->last != NULL)
        queue->last->next = message;
    else
        queue->first = message;
    queue->last = message;
}

static int length(const struct queue *queue)
{
    int length = 0;
    for (struct message *at = queue->first; at != NULL; at = at->next)
        if (length < 100)
            length++;
    return length;
}

int main(void)
{
    struct queue queue = { NULL, NULL };
    struct message hello = { 1, NULL }, reset = { 0, NULL };
    append(&queue, &hello);
    if (getchar() == 'r')
        append(&queue, &reset);
    append(&queue, &hello);
    printf("%d\n", length(&queue));
    return 0;
}
