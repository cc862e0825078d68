// property: memsafety
// truth: fails
// expect: refuted
// Nobody gives back the list of addresses.
#include <netdb.h>

int main(void)
{
    struct addrinfo *all = 0;
    return getaddrinfo("localhost", "79", 0, &all) != 0;
}
