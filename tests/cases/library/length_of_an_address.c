// property: memsafety
// truth: fails
// expect: refuted
// There is less room than is said.
#include <stdlib.h>
#include <sys/socket.h>

int main(void)
{
    struct sockaddr *peer = malloc(sizeof *peer);
    socklen_t length = 2 * sizeof *peer;
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (!peer)
        return 1;
    getpeername(line, peer, &length);
    free(peer);
    return 0;
}
