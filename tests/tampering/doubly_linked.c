// property: memsafety
// good: p->next->prev = p;
// bad: p->next->prev = p->next;
// bad: p->next->prev = p; p->prev = p;
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
struct node { struct node *next; struct node *prev; };
int main(void)
{
    struct node *list = malloc(sizeof *list);
    struct node *last = list;
    struct node *p;
    list->next = 0;
    list->prev = 0;
    while (__VERIFIER_nondet_int()) {
        p = malloc(sizeof *p);
        p->prev = 0;
        p->next = list;
        HOLE
        list = p;
    }
    while (last) {
        p = last->prev;
        free(last);
        last = p;
    }
    return 0;
}
