// property: termination
// truth: fails
// expect: refuted
// Enumerators that do not fit into `int` have the type of the enumeration.
enum wide { LOW = -1, HIGH = 0x80000000 };

int main(void)
{
    while (sizeof(HIGH) == 8 && sizeof(LOW) == 4 && -HIGH < 0)
        ;
    return 0;
}
