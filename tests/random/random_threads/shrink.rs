//! Smaller programs of which the same is so.

use super::sequence::is_defined;
use super::text::text;
use super::tree::{Expr, Program, Role, Statement, for_each_statement};
use std::process::Command;

/// The smallest program that is found by leaving out one thing after the other.
pub(crate) fn smallest(program: Program, is_so: impl Fn(&Program) -> bool) -> Program {
    let mut smallest = program;
    let mut number = 0;
    while let Some(smaller) = without(&smallest, number) {
        if is_well_formed(&smaller) && is_so(&smaller) {
            smallest = smaller;
        } else {
            number += 1;
        }
    }
    smallest
}

/// Whether breaks are in loops, everything has an order where that matters, and numbers do not
/// stand where addresses must.
fn is_well_formed(program: &Program) -> bool {
    let mut is_defined_everywhere = true;
    for function in &program.functions {
        for_each_statement(&function.body, &mut |it| {
            let is_fine = it.expression().is_none_or(|expr| is_defined(program, expr));
            is_defined_everywhere &= is_fine;
        });
    }
    let breaks = program.functions.iter().any(|it| breaks_out(&it.body));
    is_defined_everywhere && !breaks && compiles(program)
}

/// Whether the compiler takes the program. Where there is none, nothing is small.
fn compiles(program: &Program) -> bool {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.c"), text(program)).unwrap();
    let mut command = Command::new("cc");
    command.args(["-std=gnu11", "-fsyntax-only", "-Werror=int-conversion", "a.c"]);
    command.current_dir(folder.path()).output().is_ok_and(|it| it.status.success())
}

fn breaks_out(body: &[Statement]) -> bool {
    body.iter().any(|it| match it {
        Statement::Break => true,
        Statement::While(..) | Statement::DoWhile(..) | Statement::Repeat(..) => false,
        other => other.bodies().into_iter().any(|it| breaks_out(it)),
    })
}

/// The program without its thing of a number; nothing, if there are not so many.
fn without(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let mut left = number;
    let mut is_done = false;
    for list in [&mut smaller.constructors, &mut smaller.destructors, &mut smaller.given] {
        if !is_done && left < list.len() {
            list.remove(left);
            is_done = true;
        } else if !is_done {
            left -= list.len();
        }
    }
    // Threads are started in `main`: who is not, is none.
    for function in &mut smaller.functions {
        if !is_done {
            let last = match function.role {
                Role::Helper { returns: true, .. } => LastReturn::Needed,
                _ => LastReturn::Free,
            };
            is_done = cut(&mut function.body, last, &mut left);
        }
    }
    is_done.then_some(smaller)
}

/// Whether the last return of a body may be left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastReturn {
    Needed,
    Free,
}

/// Leaves something out of statements, if there are so many things.
fn cut(body: &mut Vec<Statement>, last: LastReturn, left: &mut usize) -> bool {
    for at in 0..body.len() {
        let is_last_return = last == LastReturn::Needed && matches!(body[at], Statement::Return(_));
        if !is_last_return && is_it(left) {
            body.remove(at);
            return true;
        }
        for inner in 0..body[at].bodies().len() {
            if is_it(left) {
                let inside = std::mem::take(body[at].bodies_mut()[inner]);
                body.splice(at..=at, inside);
                return true;
            }
            if cut(body[at].bodies_mut()[inner], LastReturn::Free, left) {
                return true;
            }
        }
        if let Some(expr) = body[at].expression_mut()
            && cut_expr(expr, left)
        {
            return true;
        }
    }
    false
}

/// Whether this is the thing that is meant.
fn is_it(left: &mut usize) -> bool {
    match left.checked_sub(1) {
        Some(less) => {
            *left = less;
            false
        }
        None => true,
    }
}

/// Puts a number, or an operand, in the place of an expression.
fn cut_expr(expr: &mut Expr, left: &mut usize) -> bool {
    let is_number = match expr {
        Expr::Not(_)
        | Expr::Binary(..)
        | Expr::Both(..)
        | Expr::Either(..)
        | Expr::Choice(..)
        | Expr::Comma(..)
        | Expr::Count { .. }
        | Expr::Nondet
        | Expr::Local(_)
        | Expr::Atomic(..) => true,
        Expr::Read(place) => !matches!(place, super::tree::Place::At(_)),
        _ => false,
    };
    if is_number {
        for value in [0, 1] {
            if is_it(left) {
                *expr = Expr::Value(value);
                return true;
            }
        }
        let is_plain = matches!(
            expr,
            Expr::Not(_)
                | Expr::Binary(..)
                | Expr::Both(..)
                | Expr::Either(..)
                | Expr::Choice(..)
                | Expr::Comma(..)
        );
        let n_parts = if is_plain { expr.operands().len() + expr.later().len() } else { 0 };
        for part in 0..n_parts {
            if is_it(left) {
                let all: Vec<Expr> =
                    expr.operands().into_iter().chain(expr.later()).cloned().collect();
                *expr = all[part].clone();
                return true;
            }
        }
    }
    for number in 0..expr.operands_mut().len() {
        if cut_expr(expr.operands_mut().swap_remove(number), left) {
            return true;
        }
    }
    for number in 0..expr.later_mut().len() {
        if cut_expr(expr.later_mut().swap_remove(number), left) {
            return true;
        }
    }
    false
}
