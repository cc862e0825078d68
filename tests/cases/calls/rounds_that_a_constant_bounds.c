// property: termination
// truth: holds
// expect: unknown(W036)
// options: --entry spend --strict
//
// The proof needs a node, so it is judged how general it is: a hundred rounds are not any number.

struct account {
    int left;
};

int spend(struct account *account, int n)
{
    if (n > 100)
        n = 100;
    while (n > 0)
        n--;
    return account->left;
}
