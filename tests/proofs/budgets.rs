//! Programs that make single steps long: the searches beside the steps, too, end soon after
//! the budget is spent. Their work is counted, and the run of this test ends.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(clippy::print_stdout, reason = "says how much it was")]

use std::fmt::Write as _;
use wane::analyze::{self, Source};
use wane::base::budget::Budget;
use wane::c::{DataModel, MallocModel, Options, PreprocessedSource};
use wane::heap::shape::ShapeLibrary;
use wane::ir::semantics::IntModel;
use wane::question::Question;

const STEPS: u64 = 400;
/// Steps and units of searches: each search has 100 units a step at most.
const WORK: u64 = 200 * STEPS;

const HEADER: &str = "typedef unsigned long size_t;
void *malloc(size_t size);
void free(void *block);
int input(void);
";

fn takes_no_longer_than_its_budget(main: &str, library: &ShapeLibrary) {
    let text = format!("{HEADER}{main}");
    let source = Source::C(PreprocessedSource { name: "long.c".to_owned(), text });
    let options = Options {
        data_model: DataModel::Lp64,
        int_model: IntModel::Math,
        malloc: MallocModel::Succeeds,
        input: wane::c::Input::Ends,
        entry: None,
        ..Options::default()
    };
    let subject = analyze::read(source, &options).unwrap();
    for question in [Question::Termination, Question::MemorySafety, Question::MemoryCleanup] {
        let mut budget = Budget::of_steps(STEPS);
        let _ = subject.ask(&question, library, &mut budget);
        println!("{}: {} units of work", question.name(), budget.work());
        assert!(budget.work() <= WORK, "{} for {}", budget.work(), question.name());
    }
}

/// Linear programs with the limits of a type for each variable; without memory, all plans say the
/// same. It took 50 million units once.
#[test]
fn a_short_function_of_wide_numbers() {
    let text = "unsigned up(unsigned n, unsigned step) {
    unsigned r = 0;
    while (r < n) r += step;
    return r;
}
";
    let source = PreprocessedSource { name: "up.c".to_owned(), text: text.to_owned() };
    let options = Options { entry: Some("up".to_owned()), ..Options::default() };
    let subject = analyze::read(Source::C(source), &options).unwrap();
    let library = ShapeLibrary::builtin().unwrap();
    for question in [Question::Termination, Question::MemorySafety] {
        let mut budget = Budget::of_steps(20_000_000);
        let _ = subject.ask(&question, &library, &mut budget);
        println!("{}: {} units of work", question.name(), budget.work());
        assert!(budget.work() < 10_000_000, "{} for {}", budget.work(), question.name());
    }
}

/// Folding them takes as many joins of many numbers as there are nodes.
#[test]
fn a_list_of_many_nodes_made_one_by_one() {
    let mut text = "struct node { struct node *next, *prev; int value; };
int main(void) {
    struct node *list = 0, *cell;\n"
        .to_owned();
    for value in 0..250 {
        let _ = writeln!(text, "    cell = malloc(sizeof *cell);");
        let _ = writeln!(text, "    cell->next = list; cell->prev = 0; cell->value = {value};");
        let _ = writeln!(text, "    if (list) list->prev = cell;\n    list = cell;");
    }
    text.push_str("    while (list) { cell = list->next; free(list); list = cell; }\n}\n");
    takes_no_longer_than_its_budget(&text, &ShapeLibrary::builtin().unwrap());
}

/// Linear programs over all of them, with numbers that grow.
#[test]
fn a_loop_over_many_variables() {
    let mut text = "int main(void) {\n".to_owned();
    for number in 0..120 {
        let _ = writeln!(text, "    int v{number} = input();");
    }
    text.push_str("    while (v0 > 0) {\n");
    for number in 0..120 {
        let (first, second) = ((number + 1) % 120, (number + 7) % 120);
        let _ = writeln!(text, "        v{number} = 3 * v{first} - 7 * v{second} + v{number};");
    }
    text.push_str("    }\n}\n");
    takes_no_longer_than_its_budget(&text, &ShapeLibrary::builtin().unwrap());
}

/// Each branch is an edge of its own, in one cyclic part that has no measure.
#[test]
fn a_loop_with_many_branches() {
    let mut text = "int main(void) {\n    int a = input(), b = input(), c = input(), d = 0;
    while (a + b > 2 * c) {\n"
        .to_owned();
    for number in 0..6 {
        let _ = writeln!(text, "        while (b > {number} * c + d) {{");
        let _ = writeln!(text, "            if (input()) a = b - c + {number}; else b = a - d;");
        let _ = writeln!(text, "            if (input()) {{ c = a + b; break; }} else d = c - a;");
        text.push_str("        }\n");
    }
    text.push_str("    }\n}\n");
    takes_no_longer_than_its_budget(&text, &ShapeLibrary::builtin().unwrap());
}

/// Ways to a loop behind it would reckon with numbers of thousands of digits.
#[test]
fn a_number_that_is_squared_each_round() {
    let text = "int main(void) {
    int x = input(), y = 3;
    while (y > x) {
        y = y * y + 1;
        if (y == x) x = x - 1;
    }
    for (int i = 1; i > x; i++) y = y + i;
    return y;
}\n";
    takes_no_longer_than_its_budget(text, &ShapeLibrary::builtin().unwrap());
}

/// The links of a shape can be laid into a node in very many ways.
#[test]
fn a_shape_of_many_links() {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let links = |value: &str| names.map(|name| format!("{name}: {value}")).join(", ");
    let (last, other) = (links("y"), links("n"));
    let shape = format!(
        "shape wide(x, y) {{
  unfold x
    | x |-> {{ {last} }}
    | x |-> {{ {other} }} * wide(n, y)
  lemma append: wide(x, m) * wide(m, y) |- wide(x, y)
}}\n"
    );
    let mut library = ShapeLibrary::builtin().unwrap();
    library.add_file(&shape).unwrap();
    let fields: Vec<String> = (0..12).map(|number| format!("*l{number}")).collect();
    let stores: String = (0..12).map(|number| format!("cell->l{number} = list; ")).collect();
    let text = format!(
        "struct node {{ struct node {}; }};
int main(void) {{
    struct node *list = 0;
    while (input()) {{
        struct node *cell = malloc(sizeof *cell);
        {stores}
        list = cell;
    }}
}}\n",
        fields.join(", ")
    );
    takes_no_longer_than_its_budget(&text, &library);
}
