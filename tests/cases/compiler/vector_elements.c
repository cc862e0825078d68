// property: termination
// truth: fails
// expect: refuted
// A vector has the size that is asked for, and elements.
typedef int quad __attribute__((vector_size(16)));

int main(void)
{
    quad four = { 1, 2, 3, 4 };
    quad copy = four;
    copy[1] = 7;
    while (sizeof(quad) == 16 && four[1] == 2 && copy[1] == 7)
        ;
    return 0;
}
