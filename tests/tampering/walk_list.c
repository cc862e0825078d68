// property: termination
// good: p = p->next;
// bad: p = p->next ? p->next : list;
// bad: if (p->next) p = p->next;
// bad: p = list;
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
struct cell { int value; struct cell *next; };
int main(void)
{
    int n;
    struct cell *list = 0;
    struct cell *p;
    for (n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct cell *cell = malloc(sizeof *cell);
        cell->value = __VERIFIER_nondet_int();
        cell->next = list;
        list = cell;
    }
    p = list;
    while (p) {
        HOLE
    }
    return 0;
}
