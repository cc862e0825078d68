// property: termination
// options: --entry shelve
// truth: holds
// expect: proved
// The second loop is only reached where a function of another file gives a shelf: that it can be
// left is seen in a run in which it does.
struct label;

struct shelf {
    struct shelf *next;
    unsigned n_full;
    struct shelf *first;
    struct label *label;
};

struct shelf *shelf_from_the_store(unsigned width, struct label *label);

static struct shelf *one_more(struct shelf *room, unsigned width) {
    struct shelf *shelf = shelf_from_the_store(width, room->label);
    if (!shelf)
        return 0;
    shelf->next = 0;
    struct shelf *last;
    for (last = room->first; last->next; last = last->next) {
        if (last->n_full++ > 4)
            room->first = last->next;
    }
    last->next = shelf;
    return shelf;
}

struct shelf *shelve(struct shelf *room, unsigned width) {
    struct shelf *shelf = room->first;
    do {
        if (shelf->n_full < width)
            return shelf;
        shelf = shelf->next;
    } while (shelf);
    return one_more(room, width);
}
