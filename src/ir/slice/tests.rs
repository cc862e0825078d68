//! Slices of small programs.

use super::addresses::{Addresses, as_numbers};
use super::parts::apart;
use super::relevance::{Aim, Memory, irrelevant};
use super::without;
use crate::{BlockId, Callee, Command, Expr, ProcedureId, Program, ScalarType, text};
use std::collections::BTreeSet;

fn program(text: &str) -> Program {
    text::parse("slice.goto", text).unwrap().program
}

fn named(program: &Program, names: &[&str]) -> Vec<bool> {
    program.variables.iter().map(|it| names.contains(&it.name.as_str())).collect()
}

/// The text of a procedure's blocks, the slice without these variables.
fn sliced(text: &str, ignored: &[&str]) -> String {
    let program = program(text);
    let sliced = without(&program, &named(&program, ignored));
    let text = text::print(&sliced);
    let body: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    body.join("; ")
}

const BRANCHES: &str = "
    procedure main(x: i32, n: i32) {
      local f: i32
    b0: f := 1 goto b1
    b1: if f & 2 goto b2 else b3
    b2: f := f + n goto b4
    b3: goto b4
    b4: if f > 3 goto b5 else b6
    b5: x := 1 goto b6
    b6: if x > n goto b7 else b8
    b7: n := n + 1 goto b6
    b8: return
    }
    entry main";

#[test]
fn what_is_ignored_is_dropped_and_branches_choose_or_meet() {
    let text = sliced(BRANCHES, &["f"]);
    assert!(!text.contains("f := 1") && !text.contains("f + n"), "{text}");
    assert!(text.contains("b0:; goto b4"), "{text}");
    let choice = "b4:; f := arbitrary \"a value that does not matter\"; if f goto b5 else b6";
    assert!(text.contains(choice), "{text}");
    assert!(text.contains("b6:; if x > n goto b7 else b8; b7:; n := n + 1; goto b6"), "{text}");
}

#[test]
fn what_is_still_read_is_blurred() {
    let text = "
        procedure main(p: ptr, n: i32) {
          local f: i32
        b0: f := n [p : i32] := f f := 2 goto b1
        b1: if f goto b2 else b3
        b2: return
        b3: [p : i32] := 0 return
        }
        entry main";
    let text = sliced(text, &["f"]);
    let any = "f := arbitrary \"a value that does not matter\"";
    assert!(text.contains(&format!("{any}; [p : i32] := f; {any}; goto b1")), "{text}");
    assert!(text.contains("b1:; if f goto b2 else b3"), "no new value of what is read: {text}");
}

#[test]
fn what_may_fail_stays() {
    let text = "
        procedure main(n: i32, p: ptr) {
          local f: i32
        b0: f := 5 / n f := [p : i32] goto b1
        b1: if 5 / n > f goto b2 else b3
        b2: goto b4
        b3: goto b4
        b4: return
        }
        entry main";
    let text = sliced(text, &["f"]);
    assert!(text.contains("b0:; f := 5 / n; f := [p : i32]"), "{text}");
    assert!(text.contains("if 5 / n > f goto b4 else b4"), "{text}");
}

#[test]
fn loops_without_commands_stay_endless() {
    let text = "
        procedure main(n: i32) {
          local f: i32
        b0: f := 0 goto b1
        b1: f := f + 1 if f > 3 goto b2 else b3
        b2: goto b1
        b3: goto b1
        }
        entry main";
    let program = program(text);
    let sliced = without(&program, &named(&program, &["f"]));
    let blocks = &sliced.procedures[0].blocks;
    let mut at = BlockId(0);
    for _ in 0..10 {
        let nexts = blocks[at.index()].terminator.successors();
        assert_eq!(nexts.len(), 1, "{}", text::print(&sliced));
        at = nexts[0];
    }
}

#[test]
fn calls_stay_where_they_were() {
    let text = "
        procedure f(x: i32, y: i32) -> i32 {
        b0: return y
        }
        procedure main(n: i32) {
          local a: i32, b: i32
        b0: a := 1 b := call f(a + n, n) a := b call f(a, b) return
        }
        entry main";
    let text = sliced(text, &["a", "x"]);
    assert!(text.contains("b0:; assume 1; b := call f(0, n); assume 1; call f(0, b)"), "{text}");
}

#[test]
fn what_decides_about_loops_errors_and_addresses_is_relevant() {
    let text = "
        global g: i32
        procedure step(n: i32) -> i32 {
          local t: i32
        b0: t := n - 1 return t
        }
        procedure main(p: ptr, q: ptr) {
          local i: i32, n: i32, f: i32, deep: i32, e: i32, v: i32
        b0: f := 0 n := input \"n\" i := n deep := 1 goto b1
        b1: if i > 0 goto b2 else b4
        b2: i := call step(i) v := [p + 4 : i32] [p + 4 : i32] := v + f f := f + 1 goto b3
        b3: if f > 7 goto b5 else b1
        b4: e := [q : i32] if e goto b6 else b9
        b5: [p : i32] := f goto b1
        b6: if deep goto b7 else b9
        b7: if deep > g goto b8 else b9
        b8: error \"e\" halt
        b9: return
        }
        entry main";
    let program = program(text);
    let found = irrelevant(&program, &Aim::default()).unwrap();
    let names = program.variables.iter().zip(&found.variables);
    let names: Vec<&str> = names.filter(|(_, it)| **it).map(|(it, _)| it.name.as_str()).collect();
    assert_eq!(names, ["f", "v"]);
    let int = program.variables[0].ty;
    let kept = BTreeSet::from([(0, int)]);
    assert_eq!(found.memory, Memory::Except(kept));
    assert!(found.memory.contains(4, int) && !found.memory.contains(0, int));
    assert!(!found.memory.contains(4, ScalarType::Pointer));
}

/// The procedures that the program without memory calls for a call through a pointer.
fn callees(text: &str) -> Vec<String> {
    let numbers = as_numbers(&program(text), Addresses::Forgotten);
    let called = |it: &Command| match it {
        Command::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
        _ => None,
    };
    let main = &numbers.procedures[numbers.entry.index()];
    let commands = main.blocks.iter().flat_map(|it| &it.commands).map(|it| &it.command);
    let chosen = commands.filter_map(called).next().unwrap();
    let ways = numbers.procedure(chosen).blocks.iter().flat_map(|it| &it.commands);
    let ways = ways.filter_map(|it| called(&it.command));
    assert!(numbers.expressions().all(|it| it.procedures().next().is_none()));
    ways.map(|it| numbers.procedure(it).name.clone()).collect()
}

#[test]
fn calls_through_pointers_reach_what_fits() {
    let text = "
        procedure one(x: i32) -> i32 { b0: return x }
        procedure two(x: i32) -> i32 { b0: return 0 - x }
        procedure three(x: ptr) -> i32 { b0: return 3 }
        procedure four(x: i32) -> i32 { b0: return 4 }
        procedure main(f: ptr, n: i32) {
          local p: ptr
        b0:
          n := call *(f)(n)
          p := &one
          p := &two
          p := &three
          return
        }
        entry main";
    assert_eq!(callees(text), ["one", "two"]);
}

/// Whether something is granted of links in a function by itself.
fn grants(body: &str) -> bool {
    let text = format!(
        "procedure f(p: ptr, q: ptr) {{ local n: i32 {body} }} procedure main() {{ b0: halt }} entry main"
    );
    let numbers = as_numbers(&program(&text).opened_at(ProcedureId(0)), Addresses::Linked);
    text::print(&numbers).contains("granted")
}

#[test]
fn links_that_end_in_null_are_granted() {
    let walk = |condition: &str, step: &str| {
        format!("b0: goto b1 b1: if {condition} goto b2 else b3 b2: {step} goto b1 b3: return")
    };
    assert!(grants(&walk("p == 0", "p := [p + 8 : ptr]")));
    // The end of a ring is another pointer.
    assert!(!grants(&walk("p == q", "p := [p + 8 : ptr]")));
    // What is found is not where it is looked for next.
    assert!(!grants(&walk("p == 0", "q := [p + 8 : ptr]")));
    // Numbers are no links.
    assert!(!grants(&walk("n == 0", "n := [p + 8 : i32]")));
    // By way of another pointer, and some bytes before what is found.
    assert!(grants(&walk("p == 0", "q := [p + 8 : ptr] p := q - 8")));
}

#[test]
fn a_program_by_itself_is_granted_no_links() {
    let text = "procedure main(p: ptr) {
        b0: if p == 0 goto b1 else b2
        b1: return
        b2: p := [p : ptr] goto b0 }
        entry main";
    let numbers = as_numbers(&program(text), Addresses::Linked);
    assert!(!text::print(&numbers).contains("granted"));
    let moves = |it: &Expr| matches!(it, Expr::Procedure(_));
    assert!(!numbers.expressions().any(moves));
}

/// A program in which `f` is called by `main` and leads round a loop.
fn with_a_loop(returns: &str) -> Program {
    program(&format!(
        "
        global n: i32
        procedure f(x: i32) -> i32 {{
        b0: n := n + 1 if x > 0 goto b1 else b2
        b1: x := x - 1 goto b0
        b2: {returns} }}
        procedure short(x: i32) -> i32 {{ b0: return x }}
        procedure main() {{
          local m: i32
          local o: i32
        b0:
          o := 1
          m := call short(o)
          m := call f(m)
          halt
        }}
        entry main"
    ))
}

#[test]
fn parts_start_with_anything_and_leave_behind_anything() {
    let whole = with_a_loop("return n");
    let parts = apart(&whole).unwrap();
    let printed = text::print(&parts);
    // The start and the call of what is short are left, the other call is gone.
    let calls = |id: ProcedureId| {
        let commands = parts.procedure(id).blocks.iter().flat_map(|it| &it.commands);
        let called = commands.filter_map(|it| match &it.command {
            Command::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
            _ => None,
        });
        called.map(|it| parts.procedure(it).name.clone()).collect::<Vec<String>>()
    };
    assert_eq!(calls(whole.entry), ["short"], "{printed}");
    assert_eq!(calls(parts.entry), ["f", "main"], "{printed}");
    let given: Vec<&str> = parts
        .procedure(whole.entry)
        .blocks
        .iter()
        .flat_map(|it| &it.commands)
        .filter_map(|it| match &it.command {
            Command::Havoc { target, .. } => Some(parts.variable(*target).name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(given, ["n", "m"], "{printed}");
}

#[test]
fn nothing_comes_behind_what_never_returns() {
    let parts = apart(&with_a_loop("halt")).unwrap();
    let never = Command::Assume { condition: Expr::Constant(0) };
    let mut commands = parts.blocks().flat_map(|it| &it.commands);
    assert!(commands.any(|it| it.command == never));
}

#[test]
fn calls_in_turn_are_followed() {
    let text = "
        procedure f(x: i32) { b0: if x > 0 goto b1 else b2 b1: call g(x) goto b2 b2: return }
        procedure g(x: i32) { b0: call f(x) return }
        procedure main() { b0: call f(3) halt }
        entry main";
    let parts = apart(&program(text)).unwrap();
    let calls = |name: &str| {
        let procedure = parts.procedures.iter().find(|it| it.name == name).unwrap();
        let mut commands = procedure.blocks.iter().flat_map(|it| &it.commands);
        commands.any(|it| matches!(it.command, Command::Call { .. }))
    };
    assert!(calls("f") && calls("g") && !calls("main"));
}

#[test]
fn a_program_without_long_procedures_has_no_parts() {
    let text = "procedure f() { b0: return } procedure main() { b0: call f() halt } entry main";
    assert!(apart(&program(text)).is_none());
}

#[test]
fn numbers_behind_a_pointer_are_what_was_written_there() {
    let after = |command: &str| {
        let text = format!(
            "procedure f(p: ptr, q: ptr, g: ptr) {{ local n: i32 local o: ptr
               b0: n := [p + 8 : i32] {command} n := [p + 8 : i32] return }}
             procedure main() {{ b0: halt }} entry main"
        );
        let program = program(&text).opened_at(ProcedureId(0));
        let numbers = as_numbers(&program, Addresses::Moving);
        let cell = numbers.variables.iter().position(|it| it.name == "p at 8").unwrap();
        let body = numbers.procedure(ProcedureId(0)).blocks.iter().flat_map(|it| &it.commands);
        let given = body.filter(|it| it.command.target().is_some_and(|it| it.index() == cell));
        let given = given.map(|it| match &it.command {
            Command::Assign { value, .. } => format!("{value:?}"),
            _ => "any".to_owned(),
        });
        given.collect::<Vec<String>>()
    };
    assert_eq!(after("[p + 8 : i32] := 3"), ["Constant(3)"]);
    assert!(after("[p + 12 : i32] := 3").is_empty());
    assert_eq!(after("[p + 10 : i32] := 3"), ["any"]);
    assert_eq!(after("[q + 12 : i32] := 3"), ["any"]);
    // What comes in leaves memory as it is, as the report says.
    assert!(after("call *(g)()").is_empty());
    // Unions may hold either, as far as is known of these programs.
    assert_eq!(after("[q : i64] := 3"), ["any"]);
    // A pointer that came in may still be what it was, others are of what is made here.
    assert_eq!(after("q := allocate stack 8 [q : i32] := 3"), ["any"]);
    assert!(after("o := allocate stack 8 [o : i32] := 3").is_empty());
}

#[test]
fn what_is_only_written_has_no_variable() {
    let cells = |body: &str| {
        let text = format!(
            "procedure f(p: ptr) {{ local n: i32 b0: {body} return }}
            procedure main() {{ b0: halt }} entry main"
        );
        let open = program(&text).opened_at(ProcedureId(0));
        let numbers = as_numbers(&open, Addresses::Moving);
        numbers.variables.iter().filter(|it| it.name.starts_with("p at ")).count()
    };
    assert_eq!(cells("[p : i32] := 1 [p + 4 : i32] := 2"), 0);
    assert_eq!(cells("[p : i32] := 1 n := [p + 4 : i32]"), 1);
}
