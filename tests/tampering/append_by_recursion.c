// property: termination
// good: cell->next = 0;
// bad: cell->next = head;
// bad: cell->next = cell;
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
struct cell { int value; struct cell *next; };
struct cell *head;
struct cell *append(struct cell *list)
{
    if (list == 0) {
        struct cell *cell = malloc(sizeof *cell);
        if (head == 0)
            head = cell;
        HOLE
        return cell;
    }
    list->next = append(list->next);
    return list;
}
int main(void)
{
    struct cell *p;
    head = append(0);
    if (__VERIFIER_nondet_int())
        head = append(head);
    p = head;
    while (p)
        p = p->next;
    return 0;
}
