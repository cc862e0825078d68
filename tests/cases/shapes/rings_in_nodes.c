// property: memsafety
// truth: holds
// expect: proved
// A ring of groups; each has the head of a ring of members in it, empty or not.
#include <stddef.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct link {
    struct link *next, *prev;
};

struct group {
    struct link members;
    struct link all;
};

struct member {
    int number;
    struct link of_group;
};

static void insert(struct link *head, struct link *new) {
    new->next = head->next;
    new->prev = head;
    head->next->prev = new;
    head->next = new;
}

int main(void) {
    struct link groups = {&groups, &groups};
    while (__VERIFIER_nondet_int()) {
        struct group *group = malloc(sizeof *group);
        group->members.next = &group->members;
        group->members.prev = &group->members;
        while (__VERIFIER_nondet_int()) {
            struct member *member = malloc(sizeof *member);
            member->number = 1;
            insert(&group->members, &member->of_group);
        }
        insert(&groups, &group->all);
    }
    while (groups.next != &groups) {
        struct link *first = groups.next;
        struct group *group = (struct group *)((char *)first - offsetof(struct group, all));
        struct link *at = group->members.next;
        while (at != &group->members) {
            struct link *next = at->next;
            free((char *)at - offsetof(struct member, of_group));
            at = next;
        }
        groups.next = first->next;
        free(group);
    }
    return 0;
}
