// property: termination
// truth: fails
// expect: refuted
// What is only looked at is there the next time, too.
#include <sys/socket.h>
int main(void)
{
    char c;
    while (recv(0, &c, 1, MSG_PEEK) == 1)
        ;
    return 0;
}
