// property: spec
// spec: examples/specs/lock.slic
// truth: fails
// expect: refuted
#include <stdlib.h>

int nondet(void);
struct node { int value; struct node *next; };

static struct node *push(struct node *list, int value) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = list;
    return fresh;
}

static struct node *build(int n) {
    struct node *list = 0;
    for (int i = 0; i < n; i++)
        list = push(list, i);
    return list;
}

static void drain(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static void lock(void) {}
static void unlock(void) {}

int main(void) {
    struct node *list = build(2);
    for (struct node *p = list; p; p = p->next) {
        lock();
        if (p->value == 0)
            unlock();
    }
    unlock();
    drain(list);
    return 0;
}
