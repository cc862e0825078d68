//! Whether it may matter that what a program reads is in the range of its type.
//!
//! `for (i = 0; i < n; i++) list->length++;` counts up to an input. Where `length` is unsigned,
//! it wraps around if `n` is large enough, and the list is longer than it says. With `n` in the
//! range of `int` that does not happen.

use ir::{Command, Expr, HavocSource, Program, ScalarType};

/// Whether a program reads signed integers without saying more of them, and reduces others to
/// the range of a type.
pub(super) fn may_wrap_around(program: &Program) -> bool {
    let (mut reads, mut reduces) = (false, false);
    for block in program.blocks() {
        for instruction in &block.commands {
            let command = &instruction.command;
            reads |= is_unbounded_input(program, command);
            let is_condition = command.range_assumed().is_some();
            command.expressions().for_each(|expr| reduces |= !is_condition && is_reduced(expr));
        }
        reduces |= block.terminator.expression().is_some_and(is_reduced);
    }
    reads && reduces
}

fn is_unbounded_input(program: &Program, command: &Command) -> bool {
    let Command::Havoc { target, source: HavocSource::Input(_) } = command else { return false };
    let ty = program.variable(*target).ty;
    matches!(ty, ScalarType::Int(kind) if kind.signed && kind.bits >= 32)
}

fn is_reduced(expr: &Expr) -> bool {
    expr.parts().any(|it| matches!(it, Expr::Wrap(..)))
}
