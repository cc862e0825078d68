// property: memsafety
// truth: fails
// expect: refuted
// The bytes behind a row are those of the next one, and no elements of this one (C11 J.2).
int grid[2][3];

int main(void) {
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += grid[0][i] & 1;
    return sum;
}
