// property: termination
// truth: holds
// expect: proved
// The flag is reset where the error has been dealt with.
#include <stdio.h>
#include <stdlib.h>

struct reader {
    int failed;
    int n_errors;
    int left;
};

static int read_value(struct reader *reader)
{
    char line[16];
    reader->left--;
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    if (line[0] < '0' || line[0] > '9') {
        reader->failed = 1;
        return 0;
    }
    return atoi(line);
}

int main(void)
{
    struct reader reader = { 0, 0, 10 };
    int most = 0;
    while (reader.left > 0) {
        if (reader.failed) {
            reader.n_errors = 1;
            reader.failed = 0;
            continue;
        }
        int value = read_value(&reader);
        if (value > most)
            most = value;
    }
    printf("%d, errors: %d\n", most, reader.n_errors);
    return 0;
}
