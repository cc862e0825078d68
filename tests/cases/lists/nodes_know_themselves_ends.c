// property: termination
// truth: holds
// expect: proved
// As `nodes_know_themselves.c`: the count, which would wrap around below zero, is that of
// the links.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct link {
    void *whole;
    struct link *left;
    struct link *right;
};

struct parcel {
    int weight;
    struct link link;
    const int *told;
};

struct belt {
    struct link *first;
    struct link *last;
    unsigned long count;
};

static void put(struct belt *belt, struct parcel *parcel) {
    struct link *link = &parcel->link;
    link->whole = parcel;
    link->right = NULL;
    link->left = belt->last;
    if (belt->count == 0) {
        belt->first = link;
    } else {
        belt->last->right = link;
    }
    belt->last = link;
    belt->count++;
}

static void *take(struct belt *belt) {
    struct link *link = belt->last;
    belt->last = link->left;
    if (belt->last) {
        belt->last->right = NULL;
    } else {
        belt->first = NULL;
    }
    belt->count--;
    return link->whole;
}

int main(void) {
    struct belt belt = {0};
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct parcel *parcel = malloc(sizeof *parcel);
        if (!parcel) {
            abort();
        }
        parcel->weight = i;
        parcel->told = &parcel->weight;
        put(&belt, parcel);
    }
    int sum = 0;
    while (belt.count > 0) {
        struct parcel *parcel = take(&belt);
        sum ^= *parcel->told;
        free(parcel);
    }
    return sum & 1;
}
