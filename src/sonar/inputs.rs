//! Whether it may matter that what a program reads is in the range of its type.
//!
//! `for (i = 0; i < n; i++) list->length++;` counts up to an input. Where `length` is unsigned,
//! it wraps around if `n` is large enough, and the list is longer than it says. With `n` in the
//! range of `int` that does not happen.

/// From here on, a number is at the ends of a type of 32 bits or more, or beyond.
const LARGE: i128 = i32::MAX as i128;

use ir::{Command, Expr, HavocSource, Program, ScalarType};

/// Whether a program reads signed integers without saying more of them, and reduces others to
/// the range of a type or compares some with a number at its ends.
pub(super) fn may_matter(program: &Program) -> bool {
    let (mut reads, mut depends) = (false, false);
    let is_of_range = |it: &Expr| is_reduced(it) || is_at_an_end(it);
    for block in program.blocks() {
        for instruction in &block.commands {
            let command = &instruction.command;
            reads |= is_unbounded_input(program, command);
            let is_condition = command.range_assumed().is_some();
            command.expressions().for_each(|expr| depends |= !is_condition && is_of_range(expr));
        }
        depends |= block.terminator.expression().is_some_and(is_of_range);
    }
    reads && depends
}

fn is_unbounded_input(program: &Program, command: &Command) -> bool {
    let Command::Havoc { target, source: HavocSource::Input(_) } = command else { return false };
    let ty = program.variable(*target).ty;
    matches!(ty, ScalarType::Int(kind) if kind.signed && kind.bits >= 32)
}

/// `n > INT_MAX` is never so.
fn is_at_an_end(expr: &Expr) -> bool {
    let is_large = |it: &Expr| matches!(it, Expr::Constant(it) if it.abs() >= LARGE);
    expr.parts().any(|it| match it {
        Expr::Binary(op, left, right) => {
            op.is_comparison() && [left, right].into_iter().any(|it| is_large(it))
        }
        _ => false,
    })
}

fn is_reduced(expr: &Expr) -> bool {
    expr.parts().any(|it| matches!(it, Expr::Wrap(..)))
}
