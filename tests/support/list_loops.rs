//! Programs of any number of independent list loops.

use std::fmt::Write as _;

const HEADER: &str = "
typedef unsigned long size_t;
void *malloc(size_t size);
void free(void *block);
int input(void);
struct node { int value; struct node *next; };
";

const BUILD: &str = "    struct node *list = 0;
    int length = input();
    for (int i = 0; i < length; i++) {
        struct node *cell = malloc(sizeof *cell);
        cell->value = i;
        cell->next = list;
        list = cell;
    }
";

const WALK_AND_FREE: &str = "    int sum = 0;
    for (struct node *p = list; p; p = p->next)
        sum += p->value;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
";

/// Where the loops are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// Each list in a function of its own, called once.
    Functions,
    /// All of them in `main`, one after the other.
    Blocks,
    /// One list, and recursive functions that walk over it.
    Recursions,
}

/// A C program that builds, walks and frees so many lists; for
/// [`Arrangement::Recursions`] one list with so many recursive walks.
pub(crate) fn program(arrangement: Arrangement, n: usize) -> String {
    let mut functions = String::from(HEADER);
    let mut main = String::new();
    for index in 0..n {
        let _ = match arrangement {
            Arrangement::Functions => {
                let _ = writeln!(main, "    f{index}();");
                writeln!(functions, "static void f{index}(void) {{\n{BUILD}{WALK_AND_FREE}}}")
            }
            Arrangement::Blocks => writeln!(main, "    {{\n{BUILD}{WALK_AND_FREE}    }}"),
            Arrangement::Recursions => {
                let _ = writeln!(main, "    f{index}(list);");
                let body = format!("return p ? 1 + f{index}(p->next) : 0;");
                writeln!(functions, "static int f{index}(struct node *p) {{ {body} }}")
            }
        };
    }
    let start = if arrangement == Arrangement::Recursions { BUILD } else { "" };
    format!("{functions}int main(void) {{\n{start}{main}    return 0;\n}}\n")
}
