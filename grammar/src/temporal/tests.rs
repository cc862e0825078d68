//! Formulas in all notations, and errors with their places.

use super::Logic;
use super::tree::{Connective, Fairness, Interval, Modality, Paths, Tree};
use crate::SyntaxError;
use crate::quoted::c_text;
use std::fmt::Write as _;

/// A tree as a text with all parentheses, atoms without those around them.
fn shown(tree: &Tree, text: &str) -> String {
    let letter = |paths: &Paths| match paths {
        Paths::All => "A",
        Paths::Some => "E",
        Paths::Own => "",
    };
    let two = |operator: &str, left: &Tree, right: &Tree| {
        format!("({} {operator} {})", shown(left, text), shown(right, text))
    };
    match tree {
        Tree::Atom(start, end) => {
            let (_, atom) = c_text(&text[*start..*end]);
            let inner = atom.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
            format!("`{}`", inner.unwrap_or(&atom))
        }
        Tree::Not(operand) => format!("!({})", shown(operand, text)),
        Tree::Connected(operator, left, right) => {
            let operator = match operator {
                Connective::And => "&&",
                Connective::Or => "||",
                Connective::Implies => "->",
                Connective::Iff => "<->",
            };
            two(operator, left, right)
        }
        Tree::Modal(paths, operator, operand) => {
            let operator = match operator {
                Modality::Next => "X",
                Modality::Future => "F",
                Modality::Globally => "G",
            };
            format!("{}{operator}({})", letter(paths), shown(operand, text))
        }
        Tree::Bounded(paths, operator, left, right) => {
            let operator = match operator {
                Interval::Until => "U",
                Interval::WeakUntil => "W",
                Interval::Release => "R",
            };
            format!("{}{}", letter(paths), two(operator, left, right))
        }
    }
}

fn parse(text: &str) -> Result<super::tree::Formula, SyntaxError> {
    super::parse(text, Logic::Branching)
}

fn read(text: &str, logic: Logic) -> String {
    let formula = match super::parse(text, logic) {
        Ok(formula) => formula,
        Err(error) => return format!("{error:?}"),
    };
    let mut all = shown(&formula.tree, text);
    for Fairness { whenever, then } in &formula.fairness {
        let _ = write!(all, "; {} => {}", shown(whenever, text), shown(then, text));
    }
    all
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(read(text, Logic::Branching), *expected, "{text}");
    }
}

#[test]
fn operators_are_words_letters_or_stand_in_brackets() {
    check(&[
        ("AG(ask == 1 -> AF(done == 1))", "AG((`ask == 1` -> AF(`done == 1`)))"),
        ("AG(ask => AF done)", "AG((`ask` -> AF(`done`)))"),
        ("AG AF size >= 1", "AG(AF(`size >= 1`))"),
        ("AFAG size >= 1", "AF(AG(`size >= 1`))"),
        ("AG( AFAG(r==OK) \\/ n<=0 )", "AG((AF(AG(`r==OK`)) || `n<=0`))"),
        ("[AG](v != 1 || [EF](w >=1))", "AG((`v != 1` || EF(`w >=1`)))"),
        ("[EX] (p <= 0) /\\ [AX](q)", "(EX(`p <= 0`) && AX(`q`))"),
        ("([AF](a <= 0)) || ([EG](b != 1))", "(AF(`a <= 0`) || EG(`b != 1`))"),
        ("EF((s == 1 && EG(u != 1)))", "EF((`s == 1` && EG(`u != 1`)))"),
        ("a <==> b <=> EX c", "((`a` <-> `b`) <-> EX(`c`))"),
        ("!AG!AP(x > 0)", "!(AG(!(`x > 0`)))"),
        ("EF (x = 1)", "EF(`x = 1`)"),
        ("EF -x < 3", "EF(`-x < 3`)"),
        ("A[](E<> p)", "AG(EF(`p`))"),
    ]);
}

#[test]
fn until_stands_in_brackets_or_before_two_operands() {
    check(&[
        ("A[x > 0 U y == 1]", "A(`x > 0` U `y == 1`)"),
        ("E(x > 0 && a W y == 1)", "E((`x > 0` && `a`) W `y == 1`)"),
        ("A[(x > 0) U E[(a) W AG b]]", "A(`x > 0` U E(`a` W AG(`b`)))"),
        ("A[E[a U b] U A(c W d)]", "A(E(`a` U `b`) U A(`c` W `d`))"),
        ("[AW](x > 0, y)", "A(`x > 0` W `y`)"),
        ("[EU](x > 0), ([AF](y))", "E(`x > 0` U AF(`y`))"),
        ("EW(x, AU(y, z)) || z", "(E(`x` W A(`y` U `z`)) || `z`)"),
        ("A[p[i] > 0 U q[U] == W]", "A(`p[i] > 0` U `q[U] == W`)"),
    ]);
}

#[test]
fn letters_of_operators_are_also_names() {
    check(&[
        ("AG((A==1) => AF (R==1))", "AG((`A==1` -> AF(`R==1`)))"),
        ("AG(A => AF R)", "AG((`A` -> AF(`R`)))"),
        ("A[U] == E[W + 1] && F[G] > X", "(`A[U] == E[W + 1]` && `F[G] > X`)"),
        ("EF(U == 1 && W)", "EF((`U == 1` && `W`))"),
        ("A[A U E]", "A(`A` U `E`)"),
        ("A U == 1", "SyntaxError { message: \"unexpected `U`\", start: 2, end: 3 }"),
        ("AF AF == 1", "AF(`AF == 1`)"),
        ("AG(fairness == 1)", "AG(`fairness == 1`)"),
        ("AG(AP == 1)", "AG(`AP == 1`)"),
        ("AX && GF", "(`AX` && `GF`)"),
        ("AG p[AX] == 1", "AG(`p[AX] == 1`)"),
        ("AG f::x == 1", "AG(`f::x == 1`)"),
    ]);
}

#[test]
fn operators_bind_as_they_do_elsewhere() {
    check(&[
        ("c > 5 => AF(r > 5)", "(`c > 5` -> AF(`r > 5`))"),
        ("c > n / 2 => AF(r > n / 2)", "(`c > n / 2` -> AF(`r > n / 2`))"),
        ("AG(s == 1 && c > n -> AF r)", "AG(((`s == 1` && `c > n`) -> AF(`r`)))"),
        ("a -> b -> c <-> d || e && f", "((`a` -> (`b` -> `c`)) <-> (`d` || (`e` && `f`)))"),
        ("AG a && b", "(AG(`a`) && `b`)"),
        ("AG x+(a) == (b)", "AG(`x+(a) == (b)`)"),
        ("AG(\"p->n == 0\" -> AF \"x & 1\")", "AG((`p->n == 0` -> AF(`x & 1`)))"),
        ("AG(a.b[2].c == 'x')", "AG(`a.b[2].c == 'x'`)"),
    ]);
}

/// A G ψ = A G A ψ, and E F ψ = E F E ψ; not so the others.
#[test]
fn a_quantifier_may_stand_before_several_operators() {
    check(&[
        ("A G(F (p == 1))", "AG(AF(`p == 1`))"),
        ("AGF p", "AG(AF(`p`))"),
        ("A GF p", "AG(AF(`p`))"),
        ("E F(G ((x) || (E F (y))))", "EF(EG((`x` || EF(`y`))))"),
        ("A G((E G(a <= 0)) || (E F(G (b))))", "AG((EG(`a <= 0`) || EF(EG(`b`))))"),
        ("A X G F p", "AX(AG(AF(`p`)))"),
        ("E XFG p", "EX(EF(EG(`p`)))"),
        ("A F A G p", "AF(AG(`p`))"),
        ("A (F p)", "AF(`p`)"),
    ]);
    let message = |text: &str| parse(text).err().map(|it| (it.message, it.start, it.end));
    let missing = |behind: &str| {
        format!("this is no formula of CTL: behind `{behind}` a quantifier is missing")
    };
    assert_eq!(message("A F(G p)"), Some((missing("AF"), 0, 5)));
    assert_eq!(message("EF(x) && E G(F (x == 1))"), Some((missing("EG"), 9, 14)));
}

#[test]
fn fairness_stands_behind_the_formula() {
    check(&[
        ("[AG](a) ; fairness (P == 1, Q == 1)", "AG(`a`); `P == 1` => `Q == 1`"),
        (
            "AF b; fairness (p, q), (r && !s, t); fairness (u, \"v[0] -> w\")",
            "AF(`b`); `p` => `q`; (`r` && !(`s`)) => `t`; `u` => `v[0] -> w`",
        ),
    ]);
    let message = "conditions of fairness have no temporal operators".to_owned();
    let error = SyntaxError { message, start: 19, end: 20 };
    assert_eq!(parse("AF b; fairness (AF p, q)"), Err(error));
}

#[test]
fn errors_have_places() {
    let quotes = "this is no C expression: put one between quotation marks";
    let behind = "behind `A` and `E` stand `G`, `F`, `X`, or `U` or `W` in brackets";
    let alone = "here `A` or `E` is missing before `G`, `F` and `X`";
    let cases = [
        ("AG(p", "the formula ends too early", 4, 4),
        ("", "the formula ends too early", 0, 0),
        ("AG (p == ) q", "unexpected `)`", 9, 10),
        ("p q", "unexpected `q`", 2, 3),
        ("AF", "", 0, 0),
        ("p + (AF q) == 1", quotes, 8, 9),
        ("AG(x # 1)", "unexpected character", 5, 6),
        ("G x", alone, 0, 1),
        ("AG(p && (F q))", alone, 9, 10),
        ("A(x)", behind, 0, 1),
        ("a && E(AG b)", behind, 5, 6),
        ("A[G p U q]", alone, 2, 3),
        ("AF b; fair (p, q)", "unexpected `fair`", 6, 10),
        ("A[p U q U r]", "unexpected `U`", 8, 9),
    ];
    for (text, message, start, end) in cases {
        let error = parse(text).err().map(|it| (it.message, it.start, it.end));
        let expected = (!message.is_empty()).then(|| (message.to_owned(), start, end));
        assert_eq!(error, expected, "{text}");
    }
}

#[test]
fn formulas_are_not_deep() {
    let long = [
        "(".repeat(100_000),
        "AG ".repeat(100_000) + "x",
        "AG".repeat(100_000) + "(x)",
        "G".repeat(100_000) + "(x)",
        "A[".repeat(100_000),
        "!".repeat(100_000) + "x",
        "x -> ".repeat(100_000) + "x",
    ];
    for text in long {
        let error = parse(&text).err().map(|it| it.message);
        assert_eq!(error, Some("a formula has at most 2000 words and signs".to_owned()));
    }
    assert!(parse(&("AG".repeat(900) + "(x)")).is_ok());
}

#[test]
fn in_linear_time_operators_stand_alone() {
    let cases = [
        ("G(p -> F q)", "G((`p` -> F(`q`)))"),
        ("[](AP(p) ==> <> q)", "G((`p` -> F(`q`)))"),
        ("[]<> p", "G(F(`p`))"),
        ("GFX p", "G(F(X(`p`)))"),
        ("F -x < 3", "F(`-x < 3`)"),
        ("p U q || r", "(`p` U (`q` || `r`))"),
        ("p U q W r R s", "(`p` U (`q` W (`r` R `s`)))"),
        ("p -> q U r", "(`p` -> (`q` U `r`))"),
        ("U == 1 U R", "(`U == 1` U `R`)"),
        ("A[AG] == E && AF", "(`A[AG] == E` && `AF`)"),
        ("AP == 1", "`AP == 1`"),
        ("A (F p)", "SyntaxError { message: \"unexpected `(`\", start: 2, end: 3 }"),
        ("G == 1", "SyntaxError { message: \"unexpected `==`\", start: 2, end: 4 }"),
        (
            "G(p = 1)",
            "SyntaxError { message: \"unexpected character; that two are equal is `==`\", start: 4, end: 5 }",
        ),
        ("F", "SyntaxError { message: \"the formula ends too early\", start: 1, end: 1 }"),
        (
            "G p; fairness (p, q)",
            "SyntaxError { message: \"unexpected `fairness`\", start: 5, end: 13 }",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text, Logic::Linear), expected, "{text}");
    }
}
