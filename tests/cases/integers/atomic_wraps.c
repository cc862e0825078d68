// property: termination
// truth: fails
// expect: refuted
// Atomic arithmetic wraps around silently.
int plain = 2147483647;
_Atomic int atomic = 2147483647;

int main(void)
{
    __atomic_fetch_add(&plain, 1, __ATOMIC_SEQ_CST);
    atomic++;
    while (plain < 0 && atomic < 0)
        ;
    return 0;
}
