// property: termination
// truth: fails
// expect: unknown(W020)
// Operations on whole vectors are not modelled.
typedef int quad __attribute__((vector_size(16)));

int main(void)
{
    quad four = { 1, 2, 3, 4 };
    four = four + four;
    while (four[0] == 2)
        ;
    return 0;
}
