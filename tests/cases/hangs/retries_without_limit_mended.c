// property: termination
// truth: holds
// expect: proved
// After some tries this host is given up.
#include <stdio.h>

int connect_to(int host, int port);

struct server {
    int host, port;
    int handle;
    int n_tries;
};

enum { BACKUP_AFTER = 5, MOST_TRIES = 20 };

static int open_server(struct server *server)
{
    server->handle = -1;
    while (server->handle < 0) {
        server->handle = connect_to(server->host, server->port);
        if (server->handle >= 0)
            break;
        server->n_tries++;
        if (server->n_tries >= MOST_TRIES)
            return 0;
        if (server->n_tries >= BACKUP_AFTER)
            server->port = 8080;
    }
    return 1;
}

int main(void)
{
    struct server server = { 1, 80, -1, 0 };
    if (!open_server(&server))
        return 1;
    printf("%d\n", server.handle);
    return 0;
}
