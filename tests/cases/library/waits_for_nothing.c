// property: termination
// truth: fails
// expect: refuted
// Nothing ends a wait for nothing.
#include <sys/select.h>
int main(void)
{
    return select(0, 0, 0, 0, 0);
}
