//! Sizes and counts: numbers that a function by itself is handed, or finds in memory, as they are
//! where programs are used.
//!
//! ```text
//!   x is handed in or found, of 32 bits or more    granted: 0 ≤ x < 2³¹
//!   ─────────────────────────────────────────────────────────────────── SIZES
//!   x := [E]  ⟶  x := [E]; assume 0 ≤ x < 2³¹
//!   f(x) { …  ⟶  f(x) { assume 0 ≤ x < 2³¹; …
//! ```
//!
//! So a loop ends that doubles a capacity, or counts up to it with fewer bits. Of which numbers this
//! is granted the argument says ([`Size`]); smaller numbers are never granted: what they count is
//! often wrong.

use crate::{
    BinaryOp, Command, Expr, Grant, Instruction, ProcedureId, Program, ScalarType, Variable,
};
use base::source::Span;
use std::collections::BTreeSet;

/// What is granted is less than this.
const END: i128 = 1 << 31;

/// A number that is found, or handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// Where it is found, or declared.
    pub span: Span,
    /// What holds it then.
    pub variable: Variable,
}

/// The numbers of a function by itself that are handed in or found in memory, and may be granted.
#[must_use]
pub fn sizes(program: &Program) -> BTreeSet<Size> {
    let Some(open) = &program.open else { return BTreeSet::new() };
    let handed = program.procedure(open.procedure).parameters.iter().copied();
    let handed = handed.filter(|it| counts(program.variable(*it).ty));
    let handed = handed.map(|variable| Size { span: program.variable(variable).span, variable });
    let found = program.blocks().flat_map(|it| &it.commands).filter_map(found);
    handed.chain(found).collect()
}

/// Whether numbers of a type may say how many there are of something.
fn counts(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::Int(kind) if (32..=64).contains(&kind.bits))
}

fn found(Instruction { command, span }: &Instruction) -> Option<Size> {
    match command {
        Command::Load { target, ty, .. } if counts(*ty) => {
            Some(Size { span: *span, variable: *target })
        }
        _ => None,
    }
}

/// The program in which these are granted.
pub(super) fn granted(program: &Program, sizes: &BTreeSet<Size>) -> Program {
    let mut program = program.clone();
    let Some(open) = program.open.as_ref().map(|it| it.procedure) else { return program };
    let parameters = program.procedure(open).parameters.clone();
    for (index, procedure) in program.procedures.iter_mut().enumerate() {
        for block in &mut procedure.blocks {
            let commands = std::mem::take(&mut block.commands).into_iter();
            block.commands = commands
                .flat_map(|it| {
                    let size = found(&it).filter(|it| sizes.contains(it));
                    std::iter::once(it).chain(size.into_iter().flat_map(saying)).collect::<Vec<_>>()
                })
                .collect();
        }
        if ProcedureId::at(index) == open
            && let Some(first) = procedure.blocks.first_mut()
        {
            let handed = sizes.iter().filter(|it| parameters.contains(&it.variable));
            first.commands.splice(0..0, handed.copied().flat_map(saying).collect::<Vec<_>>());
        }
    }
    program
}

/// The commands that say so of one.
fn saying(Size { span, variable }: Size) -> [Instruction; 3] {
    let compare =
        |op, left: Expr, right: Expr| Command::Assume { condition: Expr::binary(op, left, right) };
    [
        compare(BinaryOp::LessEqual, Expr::Constant(0), variable.into()),
        compare(BinaryOp::Less, variable.into(), Expr::Constant(END)),
        Grant::Sizes.command(),
    ]
    .map(|command| Instruction { command, span })
}
