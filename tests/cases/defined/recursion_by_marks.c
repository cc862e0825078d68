// property: termination
// truth: fails
// expect: unknown(W030)
// options: --entry visit
// Marks are left where rings are expected, but not before the recursion.
struct place {
    int mark;
    int n;
    struct place **ways;
};

void visit(struct place *place)
{
    if (place->mark)
        return;
    for (int i = 0; i < place->n; i++)
        visit(place->ways[i]);
    place->mark = 1;
}
