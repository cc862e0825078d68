// property: memsafety
// truth: holds
// expect: proved
// The row that is chosen is one of those that were looked at.
extern int __VERIFIER_nondet_int(void);
static double board[6][6];
static int n;
static int pivot(int column)
{
    int best = column;
    for (int row = column + 1; row < n; row++)
        if (board[row][column] > board[best][column])
            best = row;
    return best;
}
static void swap(int one, int other)
{
    for (int column = 0; column < n; column++) {
        double kept = board[one][column];
        board[one][column] = board[other][column];
        board[other][column] = kept;
    }
}
static double product(void)
{
    double all = 1.0;
    for (int column = 0; column < n; column++) {
        int row = pivot(column);
        if (board[row][column] == 0.0)
            return 0.0;
        if (row != column)
            swap(row, column);
        all *= board[column][column];
    }
    return all;
}
int main(void)
{
    n = __VERIFIER_nondet_int();
    if (n < 3 || n > 6)
        return 1;
    return product() > 1.0;
}
