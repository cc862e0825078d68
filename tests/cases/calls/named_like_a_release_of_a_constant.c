// property: memsafety
// truth: fails
// expect: unknown(W020)
//
// What is handed over as a constant may be given up all the same, as the name says.

#include <stdlib.h>

struct ticket {
    int number;
};

extern void ticket_free(const struct ticket *ticket);

int main(void)
{
    struct ticket *ticket = malloc(sizeof *ticket);
    if (!ticket)
        return 1;
    ticket->number = 1;
    ticket_free(ticket);
    int number = ticket->number;
    free(ticket);
    return number;
}
