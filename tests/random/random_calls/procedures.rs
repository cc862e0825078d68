//! The procedures that random programs are made of. Each has a name, what it takes, and its
//! bodies: the first ones are in order, those behind them are not quite.

/// What a procedure can be called with: `L` is a list, `M` another one, `P` and `Q` their
/// addresses, `N` a number, `I` and `J` addresses of numbers.
pub(crate) struct Procedure {
    /// Its name.
    pub(crate) name: &'static str,
    /// How it is called: a statement.
    pub(crate) calls: &'static [&'static str],
    /// Bodies that do what the name says.
    pub(crate) sound: &'static [&'static str],
    /// Bodies that may do something else.
    pub(crate) doubtful: &'static [&'static str],
}

pub(crate) const PROCEDURES: &[Procedure] = &[
    Procedure {
        name: "push@",
        calls: &["L = push@(L, N);", "L = push@(M, N); M = 0;"],
        sound: &[
            "static struct node@ *push@(struct node@ *list, int value) { TICK; struct node@ *cell = malloc(sizeof *cell); cell->data = value; cell->next = list; return cell; }",
        ],
        doubtful: &[
            "static struct node@ *push@(struct node@ *list, int value) { TICK; struct node@ *cell = malloc(sizeof *cell); cell->data = value; cell->next = list ? list->next : 0; return cell; }",
        ],
    },
    Procedure {
        name: "fill@",
        calls: &["L = fill@(L, N);", "L = fill@(0, N);"],
        sound: &[
            "static struct node@ *fill@(struct node@ *list, int n) { TICK; for (int i = 0; i < n && i < 5; i++) { TICK; list = push@(list, i); } return list; }",
            "static struct node@ *fill@(struct node@ *list, int n) { TICK; if (n <= 0 || n > 4) return list; return push@(fill@(list, n - 1), n); }",
        ],
        doubtful: &[
            "static struct node@ *fill@(struct node@ *list, int n) { TICK; if (n == 0 || n > 4) return list; return push@(fill@(list, n - 1), n); }",
        ],
    },
    Procedure {
        name: "drop@",
        calls: &["drop@(L); L = 0;", "if (L) { drop@(L->next); L->next = 0; }"],
        sound: &[
            "static void drop@(struct node@ *list) { TICK; if (!list) return; drop@(list->next); free(list); }",
            "static void drop@(struct node@ *list) { TICK; while (list) { TICK; struct node@ *old = list; list = list->next; free(old); } }",
        ],
        doubtful: &[
            "static void drop@(struct node@ *list) { TICK; if (!list->next) return; drop@(list->next); free(list); }",
            "static void drop@(struct node@ *list) { TICK; while (list) { TICK; struct node@ *old = list; free(old); list = list->next; } }",
        ],
    },
    Procedure {
        name: "measure@",
        calls: &["measure@(L, I);", "measure@(L, J); measure@(M, I);"],
        sound: &[
            "static void measure@(struct node@ *list, int *count) { TICK; if (!list) return; ++*count; measure@(list->next, count); }",
            "static void measure@(struct node@ *list, int *count) { TICK; *count = 0; for (; list; list = list->next) { TICK; ++*count; } }",
        ],
        doubtful: &[
            "static void measure@(struct node@ *list, int *count) { TICK; if (!list) { *count = 0; return; } measure@(list->next, count); if (*count != 2) ++*count; }",
        ],
    },
    Procedure {
        name: "extremes@",
        calls: &["extremes@(L, I, J);"],
        sound: &[
            "static void extremes@(struct node@ *list, int *low, int *high) { TICK; if (!list) return; extremes@(list->next, low, high); if (list->data < *low) *low = list->data; if (list->data > *high) *high = list->data; }",
        ],
        doubtful: &[
            "static void extremes@(struct node@ *list, int *low, int *high) { TICK; do { TICK; if (list->data < *low) *low = list->data; if (list->data > *high) *high = list->data; list = list->next; } while (list); }",
        ],
    },
    Procedure {
        name: "take@",
        calls: &["take@(P, Q);"],
        sound: &[
            "static void take@(struct node@ **from, struct node@ **to) { TICK; struct node@ *cell = *from; if (!cell) return; *from = cell->next; cell->next = *to; *to = cell; }",
        ],
        doubtful: &[
            "static void take@(struct node@ **from, struct node@ **to) { TICK; struct node@ *cell = *from; *from = cell->next; cell->next = *to; *to = cell; }",
        ],
    },
    Procedure {
        name: "turn@",
        calls: &["turn@(P);"],
        sound: &[
            "static void turn@(struct node@ **list) { TICK; struct node@ *done = 0; while (*list) { TICK; take@(list, &done); } *list = done; }",
        ],
        doubtful: &[
            "static void turn@(struct node@ **list) { TICK; struct node@ *done = 0; while (*list) { TICK; take@(&done, list); take@(list, &done); } *list = done; }",
        ],
    },
    Procedure {
        name: "split@",
        calls: &["split@(L, P, Q);", "if (!M) split@(L, P, Q);"],
        sound: &[
            "static void split@(struct node@ *list, struct node@ **odd, struct node@ **even) { TICK; if (!list) { *odd = *even = 0; return; } split@(list->next, even, odd); list->next = *odd; *odd = list; }",
        ],
        doubtful: &[
            "static void split@(struct node@ *list, struct node@ **odd, struct node@ **even) { TICK; if (!list) { *odd = 0; return; } split@(list->next, even, odd); list->next = *odd; *odd = list; }",
        ],
    },
    Procedure {
        name: "pairs@",
        calls: &["acc@ += pairs@(L, M);", "acc@ += pairs@(L, L);", "N = pairs@(L, M);"],
        sound: &[
            "static int pairs@(struct node@ *left, struct node@ *right) { TICK; if (!left || !right) return 0; return 1 + pairs@(left->next, right->next); }",
            "static int pairs@(struct node@ *left, struct node@ *right) { TICK; if (!left) return 0; return 1 + pairs@(right, left->next); }",
        ],
        doubtful: &[
            "static int pairs@(struct node@ *left, struct node@ *right) { TICK; if (!left) return 0; return 1 + pairs@(left->next, right->next); }",
            "static int pairs@(struct node@ *left, struct node@ *right) { TICK; if (!left && !right) return 0; return 1 + pairs@(right, left ? left->next : 0); }",
            "static int pairs@(struct node@ *left, struct node@ *right) { TICK; if (!left) return 0; return 1 + pairs@(right ? right : left->next, left); }",
        ],
    },
    Procedure {
        name: "same@",
        calls: &["if (same@(L, M)) acc@++;"],
        sound: &[
            "static int same@(struct node@ *left, struct node@ *right) { TICK; if (!left || !right) return left == right; return left->data == right->data && same@(left->next, right->next); }",
        ],
        doubtful: &[
            "static int same@(struct node@ *left, struct node@ *right) { TICK; return left == right || left->data == right->data && same@(left->next, right->next); }",
        ],
    },
    Procedure {
        name: "merge@",
        calls: &["L = merge@(L, M); M = 0;"],
        sound: &[
            "static struct node@ *merge@(struct node@ *left, struct node@ *right) { TICK; if (!left) return right; if (!right) return left; if (left->data <= right->data) { left->next = merge@(left->next, right); return left; } right->next = merge@(left, right->next); return right; }",
            "static struct node@ *merge@(struct node@ *left, struct node@ *right) { TICK; struct node@ *all = 0, **end = &all; while (left && right) { TICK; struct node@ **less = left->data <= right->data ? &left : &right; *end = *less; *less = (*less)->next; end = &(*end)->next; } *end = left ? left : right; return all; }",
        ],
        doubtful: &[
            "static struct node@ *merge@(struct node@ *left, struct node@ *right) { TICK; if (!left) return right; if (left->data <= right->data) { left->next = merge@(left->next, right); return left; } right->next = merge@(left, right->next); return right; }",
        ],
    },
    Procedure {
        name: "append@",
        calls: &["L = append@(L, M); M = 0;"],
        sound: &[
            "static struct node@ *append@(struct node@ *first, struct node@ *second) { TICK; if (!first) return second; first->next = append@(first->next, second); return first; }",
        ],
        doubtful: &[
            "static struct node@ *append@(struct node@ *first, struct node@ *second) { TICK; struct node@ *last = first; while (last->next) { TICK; last = last->next; } last->next = second; return first; }",
        ],
    },
    Procedure {
        name: "weave@",
        calls: &["L = weave@(L, M); M = 0;"],
        sound: &[
            "static struct node@ *weave@(struct node@ *first, struct node@ *second) { TICK; if (!first) return second; first->next = weave@(second, first->next); return first; }",
        ],
        doubtful: &[
            "static struct node@ *weave@(struct node@ *first, struct node@ *second) { TICK; if (!first) return second; struct node@ *rest = first->next; first->next = second; if (second) weave@(second, rest); return first; }",
        ],
    },
    Procedure {
        name: "erase@",
        calls: &["erase@(P, N);", "erase@(P, 1);"],
        sound: &[
            "static void erase@(struct node@ **list, int value) { TICK; struct node@ *first = *list; if (!first) return; if (first->data == value) { *list = first->next; free(first); erase@(list, value); } else erase@(&first->next, value); }",
            "static void erase@(struct node@ **list, int value) { TICK; while (*list) { TICK; struct node@ *first = *list; if (first->data == value) { *list = first->next; free(first); } else list = &first->next; } }",
        ],
        doubtful: &[
            "static void erase@(struct node@ **list, int value) { TICK; while (*list) { TICK; struct node@ *first = *list; if (first->data == value) { *list = first->next; free(first); return; } if (first->next) list = &first->next; } }",
        ],
    },
    Procedure {
        name: "is_even@",
        calls: &["if (is_even@(L)) acc@++;"],
        sound: &[
            "static int is_even@(struct node@ *list); static int is_odd@(struct node@ *list) { TICK; return list ? is_even@(list->next) : 0; } static int is_even@(struct node@ *list) { TICK; return list ? is_odd@(list->next) : 1; }",
        ],
        doubtful: &[
            "static int is_even@(struct node@ *list); static int is_odd@(struct node@ *list) { TICK; return list ? is_even@(list->next) : 0; } static int is_even@(struct node@ *list) { TICK; return list ? is_odd@(list) : 1; }",
        ],
    },
    Procedure {
        name: "drain@",
        calls: &["drain@(P, I);", "drain@(P, J); drain@(Q, J);"],
        sound: &[
            "static void drain@(struct node@ **list, int *sum) { TICK; while (*list) { TICK; struct node@ *one = 0; take@(list, &one); *sum = (*sum + one->data) % 100; drop@(one); } }",
        ],
        doubtful: &[
            "static void drain@(struct node@ **list, int *sum) { TICK; while (*list) { TICK; struct node@ *one = 0; take@(list, &one); *sum = (*sum + one->data) % 100; } }",
        ],
    },
    Procedure {
        name: "both@",
        calls: &["acc@ += both@(L, M);"],
        sound: &[
            "static int both@(struct node@ *left, struct node@ *right) { TICK; int first = 0, second = 0; measure@(left, &first); measure@(right, &second); return first + second; }",
        ],
        doubtful: &[
            "static int both@(struct node@ *left, struct node@ *right) { TICK; int first = left->data, second = 0; measure@(left, &first); measure@(right, &second); return first + second; }",
        ],
    },
    Procedure {
        name: "deal@",
        calls: &["deal@(P, Q, N);"],
        sound: &[
            "static void deal@(struct node@ **from, struct node@ **to, int n) { TICK; if (n <= 0 || !*from) return; take@(from, to); deal@(to, from, n - 2); }",
        ],
        doubtful: &[
            "static void deal@(struct node@ **from, struct node@ **to, int n) { TICK; if (!*from) return; take@(from, to); deal@(from, to, n + 1); }",
        ],
    },
];
