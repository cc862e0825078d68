// property: memsafety
// truth: fails
// expect: refuted
// The address lies in the entry of the list.
#include <netdb.h>
#include <sys/socket.h>

int main(void)
{
    struct addrinfo *all;
    struct sockaddr *address;
    if (getaddrinfo("localhost", "79", 0, &all) != 0)
        return 1;
    address = all->ai_addr;
    freeaddrinfo(all);
    return address->sa_family;
}
