// property: memsafety
// truth: holds
// expect: proved
int grid[2][3];

int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            sum += grid[i][j] & 1;
    return sum;
}
