// property: memsafety
// truth: fails
// expect: refuted
// why: The last column is one too far.
enum { ROWS = 5, COLUMNS = 7 };
int input(void);
static int board[ROWS][COLUMNS];
static int fill(int row, int column)
{
    if (row < 0 || row >= ROWS || column < 0 || column > COLUMNS || board[row][column]) {
        return 0;
    }
    board[row][column] = 1;
    return 1 + fill(row - 1, column) + fill(row + 1, column) + fill(row, column - 1)
           + fill(row, column + 1);
}
int main(void)
{
    for (int i = 0; i < ROWS; i++) {
        board[i][input() & 3] = 2;
    }
    return fill(0, 0);
}
