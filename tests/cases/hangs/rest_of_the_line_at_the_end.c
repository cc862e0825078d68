// property: termination
// truth: fails
// expect: refuted
// At the end of the input there is no end of a line.
#include <stdio.h>

struct answer {
    int is_yes;
    int n_asked;
};

static int first_of_line(void)
{
    int first = getchar();
    int c = first;
    while (c != '\n')
        c = getchar();
    return first;
}

int main(void)
{
    struct answer answer = { 0, 0 };
    while (answer.n_asked < 3) {
        printf("Continue? ");
        int c = first_of_line();
        answer.n_asked++;
        if (c == 'y') {
            answer.is_yes = 1;
            break;
        }
    }
    return answer.is_yes ? 0 : 1;
}
