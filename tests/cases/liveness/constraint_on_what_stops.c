// property: spec
// spec: tests/cases/liveness/constraint_on_what_stops.slic
// truth: fails
// expect: refuted
//
// What is called once is not called again and again: the constraint asks nothing of the run.

void ask(void) {}
void answer(void) {}
void again(void) {}
void ready(void) {}

int main(void)
{
    again();
    ask();
    for (;;)
        ;
}
