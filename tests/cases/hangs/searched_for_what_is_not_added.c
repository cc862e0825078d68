// property: termination
// truth: fails
// expect: refuted
// Tickets are added until the one that is wanted is among them, but each is the same other one.
#include <stdbool.h>
#include <stdlib.h>

struct ticket {
    int number;
    struct ticket *next;
};

static bool is_known(const struct ticket *tickets, int number)
{
    for (const struct ticket *it = tickets; it != NULL; it = it->next)
        if (it->number == number)
            return true;
    return false;
}

static struct ticket *with(struct ticket *tickets, int number)
{
    struct ticket *ticket = malloc(sizeof *ticket);
    if (ticket == NULL)
        exit(1);
    ticket->number = number;
    ticket->next = tickets;
    return ticket;
}

int main(void)
{
    struct ticket *tickets = NULL;
    int wanted = 7;
    while (!is_known(tickets, wanted))
        tickets = with(tickets, 0);
    while (tickets != NULL) {
        struct ticket *next = tickets->next;
        free(tickets);
        tickets = next;
    }
    return 0;
}
