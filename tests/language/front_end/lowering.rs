//! The shape of lowered programs.

use wane::c::{
    Entries, MallocModel, Options, PreprocessedSource, compile_parsed, entry_points, parse,
};
use wane::ir::semantics::IntModel;
use wane::ir::text::print;
use wane::ir::{
    BinaryOp, Callee, Command, Expr, HavocSource, IntKind, MemoryKind, Procedure, Terminator,
};

use super::support::{accepted, compile_with, options, procedure, unsupported};

const FUNCTIONS: &str = include_str!("../../open_functions/functions.c");
const SCOPES: &str = include_str!("../../open_functions/scopes.c");

fn commands(procedure: &Procedure) -> Vec<&Command> {
    let blocks = procedure.blocks.iter().flat_map(|block| &block.commands);
    blocks.map(|instruction| &instruction.command).collect()
}

fn count(procedure: &Procedure, wanted: impl Fn(&Command) -> bool) -> usize {
    commands(procedure).into_iter().filter(|command| wanted(command)).count()
}

#[test]
fn only_what_is_reached_is_lowered() {
    let program = accepted(
        "static inline int junk(void) { return 1; } int unused[100]; int used; int other(void);
         int f(void) { return used; } int main(void) { return f(); }",
    );
    let names: Vec<&str> = program.procedures.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["$start", "main", "f"]);
    assert!(program.variables.iter().all(|it| it.name != "unused"));
    let start = procedure(&program, "$start");
    assert_eq!(count(start, |it| matches!(it, Command::Allocate { .. })), 0);
    assert_eq!(start.blocks.last().map(|it| &it.terminator), Some(&Terminator::Halt));
}

/// A program that is parsed once and entered at each of its functions is the same as one that is
/// parsed anew for each, whatever was lowered of it before.
#[test]
fn entries_do_not_know_of_each_other() {
    for text in [FUNCTIONS, SCOPES] {
        let source = PreprocessedSource { name: "test.c".to_owned(), text: text.to_owned() };
        let read = || parse(std::slice::from_ref(&source), options().input).unwrap();
        let kept = read();
        let entries = entry_points(&kept, Entries::All);
        assert!(entries.len() > 20, "{}", entries.len());
        for entry in &entries {
            let options = Options { entry: Some(entry.name.clone()), ..options() };
            let [one, other] = [&kept, &read()].map(|it| compile_parsed(it, &options).unwrap());
            assert_eq!(print(&one.program), print(&other.program), "{}", entry.name);
            assert_eq!(one.externals, other.externals, "{}", entry.name);
            assert_eq!(one.assumptions, other.assumptions, "{}", entry.name);
        }
    }
}

/// Formats are read while the program is lowered.
#[test]
fn a_literal_that_nothing_reads_has_no_block() {
    let program = accepted(
        "int printf(const char *format, ...);
         int main(void) { const char *kept = \"kept\"; printf(\"%d\\n\", 1); return kept[0]; }",
    );
    let start = procedure(&program, "$start");
    let sizes: Vec<_> = commands(start)
        .into_iter()
        .filter_map(|it| match it {
            Command::Allocate { size, kind: MemoryKind::Static, .. } => Some(size.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(sizes, [Expr::Constant(5)]);
}

#[test]
fn a_loop_has_one_header_at_its_keyword() {
    let program =
        accepted("int main(void) { int i = 0;\n  while (i < 3 && i != 7)\n    i++;\n return i; }");
    let main = procedure(&program, "main");
    let headers: Vec<_> =
        main.blocks.iter().filter(|it| it.span.line == 2 && it.span.column == 3).collect();
    let is_branch = |it: &&&wane::ir::Block| matches!(it.terminator, Terminator::Branch { .. });
    assert_eq!(headers.iter().filter(is_branch).count(), 1);
    // Conditions branch directly, without temporaries.
    assert!(commands(main).iter().all(|it| matches!(it, Command::Assign { .. })));
    assert_eq!(commands(main).len(), 2);
}

#[test]
fn comparisons_are_expressions() {
    let program = accepted(
        "int f(int a, int b) { int x = a < b; return x + a * 2; } int main(void) { return f(1, 2); }",
    );
    let f = procedure(&program, "f");
    assert_eq!(f.blocks.len(), 1);
    assert_eq!(commands(f).len(), 1);
}

#[test]
fn unsigned_results_wrap_and_signed_do_not() {
    let text = "unsigned u(unsigned a) { return a + 1; } int s(int a) { return a + 1; }
                int main(void) { return s(1) + u(1); }";
    let u32 = IntKind { bits: 32, signed: false };
    let s32 = IntKind { bits: 32, signed: true };
    let returned = |program: &wane::ir::Program, name: &str| {
        procedure(program, name).blocks[0].terminator.expression().cloned()
    };
    let program = accepted(text);
    assert!(matches!(returned(&program, "u"), Some(Expr::Wrap(kind, _)) if kind == u32));
    assert!(matches!(returned(&program, "s"), Some(Expr::Binary(BinaryOp::Add, ..))));
    let machine = Options { int_model: IntModel::Machine, ..options() };
    let program = compile_with(text, &machine).expect("compiles");
    assert!(matches!(returned(&program, "s"), Some(Expr::Wrap(kind, _)) if kind == s32));
}

#[test]
fn stack_blocks_are_freed_on_every_way_out() {
    let program = accepted(
        "extern int nondet(void);
         int main(void) {
             while (nondet()) {
                 int a[2];
                 a[0] = nondet();
                 if (a[0] == 1) break;
                 if (a[0] == 2) continue;
                 if (a[0] == 3) goto out;
                 if (a[0] == 4) return 1;
             }
         out:
             return 0; }",
    );
    let main = procedure(&program, "main");
    let is_stack = |kind: &MemoryKind| *kind == MemoryKind::Stack;
    assert_eq!(count(main, |it| matches!(it, Command::Allocate { kind, .. } if is_stack(kind))), 1);
    // Five ways lead out; those of `continue` and of the end may be one.
    let frees = count(main, |it| matches!(it, Command::Free { kind, .. } if is_stack(kind)));
    assert!(frees >= 4, "{frees}");
}

#[test]
fn only_variables_whose_address_is_taken_are_in_memory() {
    let program = accepted(
        "int g, h; void set(int *p) { *p = 1; }
         int main(void) { int a = 1, b = 2; set(&a); set(&g); { int b = 3; set(&b); } return a + b + g + h; }",
    );
    let in_memory = |name: &str| {
        let pointers = program.variables.iter().filter(|it| it.ty == wane::ir::ScalarType::Pointer);
        pointers.filter(|it| it.name == name).count()
    };
    assert_eq!((in_memory("a"), in_memory("b"), in_memory("g"), in_memory("h")), (1, 1, 1, 0));
}

#[test]
fn uninitialised_variables_are_arbitrary_each_time() {
    let program = accepted("int main(void) { for (;;) { int x; if (x) return 0; } }");
    let main = procedure(&program, "main");
    let source = HavocSource::Uninitialised;
    assert_eq!(
        count(main, |it| matches!(it, Command::Havoc { source: it, .. } if *it == source)),
        1
    );
}

#[test]
fn inputs_and_errors() {
    let program = accepted(
        "extern unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void) { while (1); }
         extern void __VERIFIER_assume(int); void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
         int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); __VERIFIER_assume(c > 3);
                          if (c == 9) reach_error(); c > 4 ? (void)0 : __assert_fail(\"c > 4\", \"f.c\", 3, \"main\"); return 0; }",
    );
    let main = procedure(&program, "main");
    let input = HavocSource::Input("__VERIFIER_nondet_uchar".to_owned());
    assert_eq!(
        count(main, |it| matches!(it, Command::Havoc { source, .. } if *source == input)),
        1
    );
    assert_eq!(count(main, |it| matches!(it, Command::Assume { .. })), 1);
    assert_eq!(count(main, |it| matches!(it, Command::Error { .. })), 2);
    assert!(unsupported(&program).is_empty());
}

#[test]
fn malloc_may_fail_on_demand() {
    let text = "void *malloc(unsigned long); int main(void) { int *p = malloc(4); return p == 0; }";
    let may_fail = Options { malloc: MallocModel::MayFail, ..options() };
    let program = compile_with(text, &may_fail).expect("compiles");
    assert!(procedure(&program, "main").blocks.len() > 1);
    assert_eq!(procedure(&accepted(text), "main").blocks.len(), 1);
}

#[test]
fn indirect_calls_go_through_values() {
    let program = accepted(
        "int a(int x) { return x; } int b(int x) { return -x; }
         int main(int argc, char **argv) { int (*f)(int) = argc > 1 ? a : b; return f(3); }",
    );
    let is_indirect =
        |it: &Command| matches!(it, Command::Call { callee: Callee::Indirect(_), .. });
    assert_eq!(count(procedure(&program, "main"), is_indirect), 1);
    assert!(procedure(&program, "a").is_defined() && procedure(&program, "b").is_defined());
}

#[test]
fn unknown_functions_are_unsupported_only_where_they_may_write() {
    let program = accepted(
        "int pure(int); int reads(const char *); void writes(int *); struct s { int x; } make(void);
         int main(void) { int x = pure(1) + reads(\"text\") + make().x; writes(&x); return x; }",
    );
    assert_eq!(unsupported(&program), ["call of undefined function `writes` may change memory"]);
}

#[test]
fn what_is_not_modelled_says_so() {
    let program = accepted(
        "int pthread_create(long *, void *, void *(*)(void *), void *); int setjmp(int *);
         int main(void) { int buf[10]; if (setjmp(buf)) return 1; void *l = &&here; goto *l; here: return 0; }",
    );
    assert_eq!(
        unsupported(&program),
        ["call of `setjmp`", "computed goto to something that is no label"]
    );
}

#[test]
fn floating_point_is_arbitrary() {
    let program = accepted(
        "int main(void) { double d = 1.5; d = d * 2; if (d > 2) return (int)d; return 0; }",
    );
    let is_approximate =
        |it: &Command| matches!(it, Command::Havoc { source: HavocSource::Approximation(_), .. });
    assert!(count(procedure(&program, "main"), is_approximate) >= 3);
}

#[test]
fn printed_program() {
    let program = accepted(
        "typedef unsigned long size_t; void *malloc(size_t); void free(void *); int nondet(void);
struct node { int value; struct node *next; };
static struct node *push(struct node *list) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = nondet();
    fresh->next = list;
    return fresh;
}
int main(void) {
    struct node *list = 0;
    while (nondet())
        list = push(list);
    while (list && list->value != 3) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}",
    );
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("c_list_program", wane::ir::text::print(&program)));
}
