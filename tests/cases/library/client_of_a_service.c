// property: memsafety
// truth: holds
// expect: proved
// The addresses of a host are a list that belongs to the caller, until it is given back.
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int dial(const char *host)
{
    struct addrinfo hints, *all, *each;
    int line = -1;

    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host, "79", &hints, &all) != 0)
        return -1;
    for (each = all; each; each = each->ai_next) {
        line = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
        if (line < 0)
            continue;
        if (connect(line, each->ai_addr, each->ai_addrlen) == 0)
            break;
        close(line);
        line = -1;
    }
    freeaddrinfo(all);
    return line;
}

int main(int argc, char **argv)
{
    char part[64];
    ssize_t length;
    int line;

    signal(SIGPIPE, SIG_IGN);
    if (argc != 2 || (line = dial(argv[1])) < 0)
        return 1;
    while ((length = recv(line, part, sizeof part, 0)) > 0)
        fwrite(part, 1, (size_t)length, stdout);
    close(line);
    return 0;
}
