// property: termination
// truth: holds
// expect: unknown(W003)
//
// No run in bounds goes on for ever, for there is none in bounds that goes on. That is not what
// anybody means by an end.

int a[4];

int main(void)
{
    for (int i = 0;; i++)
        a[i] = 0;
}
