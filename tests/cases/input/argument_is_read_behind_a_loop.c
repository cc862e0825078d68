// property: memsafety
// truth: holds
// expect: proved
// why: there is an argument, whatever is counted before it is read
int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += i;
    return argv[1][0] == sum;
}
