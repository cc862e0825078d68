// property: termination
// truth: holds
// expect: unknown(W003)
//
// No run that is tried finds the key, so none is seen to fail in the loop behind it; what the
// proof takes for granted there says that runs end so.

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned mixed(unsigned key)
{
    key = (key ^ key >> 15) * 2246822519u;
    key = (key ^ key >> 13) * 3266489917u;
    return key ^ key >> 16;
}

int main(void)
{
    int a[8];
    if (mixed(__VERIFIER_nondet_uint()) == 123456789u)
        for (int i = 0;; i++)
            a[i] = 0;
    return 0;
}
