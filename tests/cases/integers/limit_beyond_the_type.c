// property: termination
// truth: fails
// expect: refuted

/* Every run without overflow stays below the limit. */
int main(void)
{
    for (int i = 0; i < 5000000000; i++)
        ;
    return 0;
}
