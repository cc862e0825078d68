// property: ltl
// truth: fails
// expect: refuted
// ltl: G("gate->open" == 0)

struct gate {
    int open;
};

struct gate own;
struct gate *gate = &own;

int main(void)
{
    gate->open = 1;
    for (;;)
        ;
}
