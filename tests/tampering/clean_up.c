// property: memcleanup
// good: free(p);
// bad: if (p->value != 4) free(p);
// bad: if (list) free(p);
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);
struct cell { int value; struct cell *next; };
int main(void)
{
    struct cell *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        cell->value = __VERIFIER_nondet_int();
        cell->next = list;
        list = cell;
    }
    while (list) {
        struct cell *p = list;
        list = list->next;
        HOLE
    }
    return 0;
}
