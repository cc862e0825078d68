// property: ltl
// ltl: G(ready == 1 || !(ready == 1))
// truth: holds
// expect: proved
//
// No word violates the formula, so its automaton has no state.

int ready;

int main(void)
{
    ready = 1;
    for (;;)
        ;
}
