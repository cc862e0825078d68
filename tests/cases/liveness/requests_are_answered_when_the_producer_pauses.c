// property: spec
// spec: examples/specs/request_answer.slic
// truth: holds
// expect: proved
#include <stdlib.h>

int nondet(void);
struct node { int value; struct node *next; };

static struct node *push(struct node *list, int value) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = list;
    return fresh;
}

static void drain(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static int more(void) { return nondet(); }
static void begin_request(void) {}
static void end_request(void) {}

int main(void) {
    for (;;) {
        struct node *queue = 0;
        begin_request();
        while (more())
            queue = push(queue, nondet());
        drain(queue);
        end_request();
    }
}
