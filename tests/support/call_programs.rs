//! Programs that are made of calls.

use std::fmt::Write as _;

/// `f` of each level calls that of the level below so many times.
pub(crate) fn levels(n_levels: usize, n_calls: usize) -> String {
    let mut text = "int f0(int x) { return x > 0 ? 1 : 0; }\n".to_owned();
    for level in 1..=n_levels {
        let call = format!("f{}(x)", level - 1);
        let sum = vec![call; n_calls].join(" + ");
        let _ = writeln!(text, "int f{level}(int x) {{ return 1 + {sum}; }}");
    }
    text + &format!("int main(void) {{ int x; return f{n_levels}(x); }}\n")
}

/// One function with a loop, and so many calls of it in a row.
pub(crate) fn calls_in_a_row(n_calls: usize) -> String {
    let mut text = "int input(void);
static int countdown(int x) { while (x > 0) x--; return x; }
int main(void) {
    int last = 0;
"
    .to_owned();
    for _ in 0..n_calls {
        text.push_str("    last = countdown(input());\n");
    }
    text + "    return last;\n}\n"
}
