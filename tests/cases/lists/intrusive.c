// property: termination
// truth: holds
// expect: proved
// Links inside of larger objects, found again by their offset.
#include <stddef.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct link {
    struct link *next;
};

struct item {
    long weight;
    struct link link;
    long colour;
};

int main(void) {
    struct link *list = NULL;
    for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
        struct item *item = malloc(sizeof *item);
        item->weight = i;
        item->link.next = list;
        list = &item->link;
    }
    while (list != NULL) {
        struct item *item = (struct item *)((char *)list - offsetof(struct item, link));
        list = item->link.next;
        free(item);
    }
    return 0;
}
