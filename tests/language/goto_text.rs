//! The `.goto` text: what is printed parses back to the same program.

use crate::support;

use proptest::prelude::*;
use support::random_text::any_program;
use wane::base::source::Span;
use wane::ir::text::{GotoError, Moment, parse, print};
use wane::ir::{Block, Program};

/// The program without spans, as a comparable text.
fn without_spans(program: &Program) -> String {
    let mut program = program.clone();
    program.sources.files.clear();
    program.variables.iter_mut().for_each(|it| it.span = Span::NOWHERE);
    for procedure in &mut program.procedures {
        procedure.span = Span::NOWHERE;
        procedure.blocks.iter_mut().for_each(forget_spans);
    }
    format!("{program:#?}")
}

fn forget_spans(block: &mut Block) {
    block.span = Span::NOWHERE;
    block.commands.iter_mut().for_each(|it| it.span = Span::NOWHERE);
}

fn parsed(text: &str) -> Program {
    parse("test.goto", text).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}")).program
}

/// `line:column: message` of each error.
fn errors(text: &str) -> Vec<String> {
    let show = |it: &GotoError| format!("{}:{}: {}", it.span.line, it.span.column, it.message);
    parse("test.goto", text).expect_err("the text is wrong").iter().map(show).collect()
}

proptest! {
    #[test]
    fn parsing_undoes_printing(program in any_program()) {
        let text = print(&program);
        let again = parsed(&text);
        // Locals of a procedure without body become globals and so move.
        if program.procedures.iter().all(|it| it.is_defined()) {
            prop_assert_eq!(without_spans(&program), without_spans(&again));
        }
        prop_assert_eq!(&text, &print(&parsed(&print(&again))));
    }

    #[test]
    fn no_text_is_too_odd(text in "\\PC{0,60}") {
        let _ = parse("test.goto", &text);
    }

    #[test]
    fn no_order_of_tokens_is_too_odd(words in prop::collection::vec(
        prop::sample::select(vec![
            "procedure", "f", "(", ")", "{", "}", "x", ":", "i32", "local", ":=", "1", "-", "+",
            "return", "goto", "if", "else", "entry", "[", "]", "as", "u8", "call", "*", "\n",
        ]),
        0..40,
    )) {
        let _ = parse("test.goto", &words.join(" "));
    }
}

const PUSH_AND_SUM: &str = r#"
pointer_bytes 4
global head: ptr
procedure push(value: i32) requires "lseg(k, head, 0)" ensures "lseg(k + 1, head, 0)" {
  local p: ptr, `if`: u8
start:
  p := allocate heap 8 // a node
  [p : i32] := value
  [p + 4 : ptr] := head
  head := p
  return
never:
  return - 1 + -(1) - -2 * 3
}
procedure nondet() -> i32
procedure main() -> i32 {
  local n: i32, p: ptr, f: ptr
b0: n := input "nondet"  f := &push
  head := 0
  goto loop
loop:
  if n > 0 goto body else done
body:
  call *(f)(n)
  n := (n - 1) as u32 as i64
  goto loop
done:
  p := head
  switch n { 0 => b4, -3..-1 => done, else => b4 }
b4:
  [p; 8] := fill 0
  [p + 4 * (n << 1 | 3); 8] := copy head
  return (n & 1) == (0 < n)
}
entry main
"#;

#[test]
fn printing_keeps_the_text_readable() {
    insta::with_settings!({ snapshot_path => "../../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("goto_text_printed", print(&parsed(PUSH_AND_SUM)));
    });
}

#[test]
fn spans_and_contracts_point_into_the_text() {
    let parsed = parse("a.goto", PUSH_AND_SUM).unwrap();
    let program = &parsed.program;
    let store = &program.procedures[0].blocks[0].commands[1];
    assert_eq!(program.sources.describe(store.span), "a.goto:8:3");
    assert_eq!(store.span.length, 18);
    let contracts: Vec<_> = parsed
        .contracts
        .iter()
        .map(|it| (it.procedure.0, it.moment, it.assertion.as_str(), it.span.line))
        .collect();
    assert_eq!(
        contracts,
        [(0, Moment::Before, "lseg(k, head, 0)", 4), (0, Moment::After, "lseg(k + 1, head, 0)", 4)]
    );
}

#[test]
fn variables_of_one_name_are_told_apart() {
    let mut program = parsed(
        "global x: i32\nprocedure f(y: ptr) { local z: u8 b: z := x return } entry f0\nprocedure f0() { b: return }",
    );
    for variable in &mut program.variables {
        variable.name = "x".to_owned();
    }
    program.procedures.iter_mut().for_each(|it| it.name = "f".to_owned());
    let text = print(&program);
    assert!(text.contains("procedure f(x$2: ptr) {\n  local x$3: u8\nb0:\n  x$3 := x\n"), "{text}");
    assert!(text.contains("entry f$2"), "{text}");
    assert_eq!(text, print(&parsed(&text)));
}

#[test]
fn all_wrong_names_are_reported() {
    let text = "procedure f(x: i33x) { b: y := x\n goto c b: call g(1) call f() return &h as ptr }";
    insta::with_settings!({ snapshot_path => "../../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("goto_text_errors", errors(text).join("\n"));
    });
}

#[test]
fn syntax_errors_have_a_place() {
    assert_eq!(
        errors("procedure f() { b: x = 1 }"),
        [
            "1:22: this is no token: a stray character, an open quote, a bad escape or a number above 2^128"
        ]
    );
    assert!(
        errors("procedure f() {\n b: goto }")[0].starts_with("2:10: unexpected `}`; expected ")
    );
    assert!(errors("procedure f() {")[0].contains("the text ends too early"));
    assert_eq!(
        errors(
            "procedure f() { b: switch 170141183460469231731687303715884105728 { else => b } } entry f"
        ),
        ["1:27: this number does not fit in 128 bits"]
    );
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    let program = |expr: &str| format!("procedure f() {{ b: return {expr} }} entry f");
    let n_levels = 300_000;
    let deep = [
        format!("{}1{}", "(".repeat(n_levels), ")".repeat(n_levels)),
        format!("{}1", "-".repeat(n_levels)),
        format!("1{}", " + 1".repeat(n_levels)),
        format!("1{}", " as i32".repeat(n_levels)),
    ];
    for text in deep {
        let errors = errors(&program(&text));
        assert!(errors[0].contains("nests deeper than 500 levels"), "{errors:?}");
    }
    let fine = program(&format!("1{}", " + 1".repeat(499)));
    assert_eq!(print(&parsed(&print(&parsed(&fine)))), print(&parsed(&fine)));
}
