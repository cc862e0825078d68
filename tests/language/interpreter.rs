//! The concrete interpreter: what each command does, and how runs end.

use std::collections::BTreeMap;
use wane::base::budget::Budget;
use wane::concrete::Outcome;
use wane::concrete::choices::ChoiceList;
use wane::concrete::interpreter::Interpreter;
use wane::concrete::state::State;
use wane::ir::{Program, text};

fn program(text: &str) -> Program {
    text::parse("test.goto", text).unwrap_or_else(|it| panic!("{it:#?}\n{text}")).program
}

/// Runs to the end; the state there and the outcome.
fn run(program: &Program, choices: &[i128]) -> (State, Outcome) {
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    let mut choices = ChoiceList::new(choices.to_vec());
    let outcome = interpreter.run(&mut state, &mut choices, &mut Budget::of_steps(10_000));
    (state, outcome)
}

/// Runs a body over some variables; how it ends, and the value of the global
/// `r` if it has one.
fn result(body: &str, choices: &[i128]) -> String {
    let program = program(&format!(
        "global r: i64
         procedure twice(x: i32) -> i32 {{ b: return x * 2 }}
         procedure nothing() {{ b: return }}
         procedure declared(x: i32)
         procedure scratch() -> ptr {{ local a: ptr b: a := allocate alloca 8 return a }}
         procedure main() {{
           local i: i32, j: i64, u: u8, p: ptr, q: ptr, f: ptr
           start: {body}
         }}
         entry main"
    ));
    let (state, outcome) = run(&program, choices);
    let outcome = match outcome {
        Outcome::MemoryError { kind, .. } => format!("{kind:?}"),
        Outcome::Unsupported { what, .. } => format!("unsupported: {what}"),
        Outcome::ReachedError { what, .. } => format!("error: {what}"),
        Outcome::Halted => "halted".to_owned(),
        Outcome::AssumeFailed => "assume failed".to_owned(),
        Outcome::OutOfBudget => "out of budget".to_owned(),
        Outcome::Running => "running".to_owned(),
    };
    match state.globals().next() {
        Some((_, value)) => format!("{outcome}, {:?}", value.as_int()),
        None => outcome,
    }
}

#[track_caller]
fn check(body: &str, expected: &str) {
    assert_eq!(result(body, &[]), expected, "{body}");
}

#[track_caller]
fn check_value(expr: &str, expected: i128) {
    check(&format!("r := {expr} halt"), &format!("halted, Some({expected})"));
}

#[test]
fn arithmetic_is_exact() {
    check_value("-7 / 2", -3);
    check_value("-7 % 2", -1);
    check_value("-7 >> 1", -4);
    check_value("-7 >> 1000", -1);
    check_value("3 << 70", 3 << 70);
    check_value("0 << 1000", 0);
    check_value("~5 & 255", 250);
    check_value("(-1) as u8 + (200 as i8)", 255 - 56);
    check_value("!5 + !0", 1);
    check_value("(3 < 4) + (4 <= 3)", 1);
    check("r := 1 / 0 halt", "DivisionByZero");
    check("r := 1 % 0 halt", "DivisionByZero");
    check("r := 1 << -1 halt", "NegativeShift");
    check("r := 1 << 127 halt", "unsupported: a number above 128 bits");
    check(
        "r := 170141183460469231731687303715884105727 + 1 halt",
        "unsupported: a number above 128 bits",
    );
    check_value("(-170141183460469231731687303715884105728) % -1", 0);
}

#[test]
fn addresses_are_blocks_and_offsets() {
    let two = "p := allocate heap 16 q := allocate heap 16 ";
    check(&format!("{two} r := (p == q) + (p != q) * 2 halt"), "halted, Some(2)");
    check(&format!("{two} r := p + 8 - p halt"), "halted, Some(8)");
    check(&format!("{two} r := (p + 4 < p + 8) + !p halt"), "halted, Some(1)");
    check(
        &format!("{two} r := (p == 0) + (p > 0) * 2 + (p < -1 as u64) * 4 halt"),
        "halted, Some(6)",
    );
    let unequal = "unsupported: whether addresses in different blocks are equal";
    check(&format!("{two} r := (p + 15 == q) halt"), "halted, Some(0)");
    check(&format!("{two} r := (p + 16 == q) halt"), unequal);
    let apart = "unsupported: order of addresses in different blocks";
    check(&format!("{two} r := (p + 4111 > p) halt"), "halted, Some(1)");
    check(&format!("{two} r := (p + 4112 > p) halt"), apart);
    let reused = "p := allocate heap 16 free heap p q := allocate heap 16 ";
    check(&format!("{reused} r := (p == q) halt"), unequal);
    let near = "unsupported: order of an address and a number";
    check(&format!("{two} r := (p > 4095) + (p < -4096 as u64) * 2 halt"), "halted, Some(3)");
    check(&format!("{two} r := (p > 4096) halt"), near);
    check(&format!("{two} r := (p < -4097 as u64) halt"), near);
    check(&format!("{two} r := p < q halt"), apart);
    check(&format!("{two} r := p - q halt"), "unsupported: distance between different blocks");
    check(&format!("{two} r := ((p + 3) & 7) + ((p + 6 & -4) - p) * 10 halt"), "halted, Some(43)");
    check(
        &format!("{two} j := p as u64 p := j [p : i32] := 7 r := [j : i32] halt"),
        "halted, Some(7)",
    );
    check(&format!("{two} j := p as i32 halt"), "unsupported: an address is cut to fewer bits");
}

#[test]
fn loads_give_back_what_was_stored() {
    let new = "p := allocate heap 16 ";
    check(&format!("{new} [p : i32] := -2 r := [p : i32] halt"), "halted, Some(-2)");
    check(&format!("{new} [p : i32] := -2 r := [p : u32] halt"), "halted, Some(4294967294)");
    check(&format!("{new} [p : i32] := 258 r := [p + 1 : u8] halt"), "halted, Some(1)");
    check(
        &format!("{new} [p : u32] := 1 [p + 4 : u32] := 2 r := [p : u64] halt"),
        "halted, Some(8589934593)",
    );
    check(
        &format!("{new} [p : u32] := -1 [p + 1 : u8] := 0 r := [p : u32] halt"),
        "halted, Some(4294902015)",
    );
    check(&format!("{new} [p : u64] := 0 r := [p + 2 : i16] halt"), "halted, Some(0)");
    check(&format!("{new} [p : ptr] := p q := [p : ptr] r := (p == q) halt"), "halted, Some(1)");
    check(
        &format!("{new} [p : ptr] := p r := [p + 4 : u32] halt"),
        "unsupported: bytes without a number are read (of an address)",
    );
    check(
        &format!("{new} [p : f8] := 1 r := [p : u64] halt"),
        "unsupported: the bytes of a floating-point number",
    );
    check(
        &format!("{new} [p : ptr] := &twice q := [p : ptr] i := call *(q)(4) r := i halt"),
        "halted, Some(8)",
    );
    check("p := allocate heap 16 zeroed q := [p + 8 : ptr] r := (q == 0) halt", "halted, Some(1)");
    check(&format!("{new} [p; 16] := fill 257 r := [p + 3 : u16] halt"), "halted, Some(257)");
    check(
        &format!("{new} [p : i64] := 77 [p + 8; 8] := copy p r := [p + 8 : i64] halt"),
        "halted, Some(77)",
    );
    check(
        &format!(
            "{new} [p; 16] := fill 0 [p : u32] := 1027 [p + 1; 4] := copy p r := [p : u64] halt"
        ),
        "halted, Some(262915)",
    );
    check(
        &format!("{new} q := allocate heap 8 [p : i64] := 7 [p; 8] := copy q r := [p : i64] halt"),
        "halted, Some(0)",
    );
    check(
        &format!("{new} q := allocate heap 8 [p; 8] := copy q r := [q : i64] halt"),
        "unsupported: bytes without a value are read behind a copy of them",
    );
}

#[test]
fn arbitrary_values_come_from_the_choices() {
    assert_eq!(result("i := input \"n\" r := i halt", &[3]), "halted, Some(3)");
    assert_eq!(result("u := input \"n\" r := u halt", &[-1]), "halted, Some(255)");
    assert_eq!(result("r := i + i halt", &[4]), "halted, Some(8)");
    let new = "p := allocate heap 8 ";
    assert_eq!(
        result(&format!("{new} i := [p : i32] r := [p : i32] halt"), &[5, 6]),
        "halted, Some(5)"
    );
    assert_eq!(
        result(&format!("{new} [p : u8] := 1 r := [p : u16] halt"), &[2]),
        "halted, Some(513)"
    );
}

#[test]
fn accesses_are_checked() {
    check("r := [p : i32] halt", "NullDereference");
    check("p := 0 [p + 8 : i32] := 1 halt", "NullDereference");
    check("[100000 : i32] := 1 halt", "WildPointer");
    check("r := [&twice : i32] halt", "WildPointer");
    let new = "p := allocate heap 16 ";
    check(&format!("{new} r := [p + 13 : i32] halt"), "OutOfBounds");
    check(&format!("{new} r := [p - 1 : u8] halt"), "OutOfBounds");
    check(&format!("{new} [p; 17] := fill 0 halt"), "OutOfBounds");
    check(&format!("{new} [p + 17; 0] := fill 0 halt"), "halted");
    check(&format!("{new} free heap p r := [p : i32] halt"), "UseAfterFree");
    check(&format!("{new} free heap p free heap p halt"), "DoubleFree");
    check(&format!("{new} free heap p + 8 halt"), "InvalidFree");
    check("free heap 0 halt", "halted");
    check("free heap 5 halt", "InvalidFree");
    check("p := allocate stack 4 free heap p halt", "InvalidFree");
    check("p := allocate heap -1 halt", "NegativeAllocation");
    check("p := allocate heap 0 [p : u8] := 0 halt", "OutOfBounds");
    check("p := call scratch() [p : u8] := 0 halt", "UseAfterFree");
}

#[test]
fn calls_pass_values_and_results() {
    check("i := call twice(21) r := i halt", "halted, Some(42)");
    check("f := &twice i := call *(f)(4) r := i return", "halted, Some(8)");
    check("call *(0)() halt", "NullDereference");
    check("call *(17)() halt", "WildPointer");
    check("call declared(1) halt", "unsupported: procedure declared has no body");
    check(
        "f := &twice call *(f)() halt",
        "unsupported: a call of a function as one of another type",
    );
    assert_eq!(result("i := 1 i := call nothing() r := i halt", &[9]), "halted, Some(9)");
}

#[test]
fn runs_end_as_they_should() {
    check("assume 0 halt", "assume failed");
    check("assume -1 halt", "halted");
    check("error \"assert\" halt", "error: assert");
    check("unsupported \"asm\" halt", "unsupported: asm");
    check("goto start", "out of budget");
    check(
        "switch 3 { 0 => a, 2..4 => b, 3 => a, else => a } a: r := 1 halt b: r := 2 halt",
        "halted, Some(2)",
    );
    check(
        "switch 5 { 0 => a, 2..4 => a, else => b } a: r := 1 halt b: r := 2 halt",
        "halted, Some(2)",
    );
}

const LIST: &str = "
    global head: ptr
    procedure main() {
      local n: i32, p: ptr
    start:
      head := 0
      n := 3
      goto test
    test: if n > 0 goto push else drop
    push:
      p := allocate heap 16
      [p : i32] := n
      [p + 8 : ptr] := head
      head := p
      n := n - 1
      goto test
    drop:
      p := 0
      head := [head + 8 : ptr]
      return
    }
    entry main";

#[test]
fn leaks_are_found_at_the_end() {
    let program = program(LIST);
    let (state, outcome) = run(&program, &[]);
    assert_eq!(outcome, Outcome::Halted);
    assert_eq!(state.unfreed().len(), 3);
    assert_eq!(state.leaked().iter().map(|it| it.0).collect::<Vec<_>>(), [2]);
}

#[test]
fn errors_point_at_their_command() {
    let program =
        program("procedure main() {\n b:\n  assume 1\n  free heap 3\n halt }\nentry main");
    let (state, outcome) = run(&program, &[]);
    let Outcome::MemoryError { span, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(program.sources.describe(span), "test.goto:4:3");
    assert_eq!(state.location().map(|it| it.command), Some(2));
}

/// The first two steps after which the state is the same up to identities.
fn repeats(text: &str) -> Option<(usize, usize)> {
    let program = program(text);
    let interpreter = Interpreter::new(&program);
    let mut state = interpreter.initial();
    let mut choices = ChoiceList::default();
    let mut seen = BTreeMap::new();
    for step in 0..1_000 {
        if let Some(before) = seen.insert(state.canonical_form(), step) {
            return Some((before, step));
        }
        if interpreter.step(&mut state, &mut choices) != Outcome::Running {
            return None;
        }
    }
    None
}

#[test]
fn states_repeat_up_to_the_identity_of_blocks() {
    let body = |commands: &str| {
        format!(
            "procedure main() {{ local p: ptr, q: ptr, n: i32 start: n := 0 goto again again: {commands} goto again }} entry main"
        )
    };
    // A new block each round, which looks like the one before.
    let fresh = "p := allocate heap 8 zeroed [p : i32] := 1 ";
    assert!(repeats(&body(fresh)).is_some());
    assert!(repeats(&body(&format!("{fresh} free heap p"))).is_some());
    // The blocks form a growing list, or a number grows.
    assert_eq!(repeats(&body("p := allocate heap 8 [p : ptr] := q q := p")), None);
    assert_eq!(repeats(&body("n := n + 1")), None);
    // A run of zeros is the same however it was written.
    let pieces = "p := allocate heap 8 zeroed [p; 4] := fill 0 [p + 2; 4] := fill 0";
    let rounds = repeats(&body(pieces)).map(|(before, after)| after - before);
    assert_eq!(rounds, Some(4));
    assert_eq!(repeats(LIST), None);
}
