//! What the text of a program mentions, and how things are spelled.

use super::tree::{
    Cell, Expr, Function, Object, Op, Place, Program, Role, Statement, What, for_each_statement,
};

/// Whether a text has a word, or several, in it.
pub(crate) fn mentions(text: &str, words: &str) -> bool {
    let is_part = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
    text.match_indices(words).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + words.len()..]);
        !is_part(before.chars().next_back()) && !is_part(after.chars().next())
    })
}

/// Whether a function is part of the program.
pub(crate) fn is_called(program: &Program, function: usize) -> bool {
    let own = u8::try_from(function).unwrap();
    let is_named = function == program.named || program.functions[function].role == Role::Main;
    let is_action = |it: &Object| it.what == What::Action && it.initial[0] == own.cast_signed();
    let mut is_called = is_named
        || program.main().is_none() && program.functions[function].role == Role::Thread
        || [&program.constructors, &program.destructors, &program.given]
            .into_iter()
            .any(|it| it.contains(&own))
        || program.objects.iter().any(is_action);
    program.for_each_expression(&mut |expr| {
        is_called |= match expr {
            Expr::Function(it) | Expr::Register(it) => *it == own,
            Expr::Create(it, _) => program.threads[usize::from(*it)].function == function,
            _ => false,
        };
    });
    is_called
}

/// Whether a function uses one of its locals.
pub(crate) fn uses_local(function: &Function, local: u8) -> bool {
    let mut uses = false;
    for_each_statement(&function.body, &mut |it| {
        uses |= matches!(it, Statement::Set(it, _) | Statement::Repeat(it, ..) if *it == local);
        if let Some(expr) = it.expression() {
            expr.for_each(&mut |it| uses |= *it == Expr::Local(local));
        }
    });
    uses
}

pub(crate) fn symbol(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Subtract => "-",
        Op::And => "&",
        Op::Or => "|",
        Op::Remainder => "%",
        Op::Less => "<",
        Op::More => ">",
        Op::Equal => "==",
        Op::Differs => "!=",
    }
}

/// Whether each parenthesis has its partner.
pub(crate) fn is_balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    text.chars().all(|it| {
        depth += i32::from(it == '(') - i32::from(it == ')');
        depth >= 0
    })
}

/// The cells that an expression names itself.
pub(crate) fn cells_of(expr: &Expr) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut place = expr.place();
    while let Some(Place::Field(inner, _)) = place {
        place = Some(inner);
    }
    if let Some(Place::At(cell) | Place::Element(cell, _)) = place {
        cells.push(*cell);
    }
    match expr {
        Expr::Address(cell) | Expr::Signal(cell) | Expr::Wait(cell, _) => cells.push(*cell),
        Expr::Create(_, Some(cell)) => cells.push(*cell),
        _ => {}
    }
    cells
}
