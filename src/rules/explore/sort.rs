//! What kind of cell a block is that is allocated.

use crate::Semantics;
use evidence::place::Place;
use ir::links::Sort;
use ir::{Command, Expr, ProcedureId, Terminator};

/// The sort of the block that a command allocates, by the calls around it: where it is the
/// result of a procedure that allocates blocks of all kinds, or is called through a pointer
/// (an allocator that the user chooses), it has the sort of what that call's target points
/// at.
pub(super) fn by_calls(
    semantics: &Semantics<'_>,
    place: &Place,
    command: &Command,
) -> Option<Sort> {
    let Command::Allocate { target, .. } = command else { return None };
    let mut sort = semantics.approach.names.sort_of(*target);
    let mut callers = place.sites.iter().rev();
    let mut callee = callers.next()?.procedure;
    for site in callers {
        let block = semantics.program.procedure(site.procedure).block(site.block);
        let Command::Call { target: Some(target), .. } = &block.commands.get(site.command)?.command
        else {
            break;
        };
        if !gives_back(semantics, callee, sort) {
            break;
        }
        sort = semantics.approach.names.sort_of(*target);
        callee = site.procedure;
    }
    Some(sort)
}

/// Whether a procedure returns the addresses of blocks of a sort.
fn gives_back(semantics: &Semantics<'_>, procedure: ProcedureId, sort: Sort) -> bool {
    let blocks = &semantics.program.procedure(procedure).blocks;
    blocks.iter().any(|block| {
        matches!(&block.terminator, Terminator::Return(Some(Expr::Variable(variable)))
            if semantics.approach.names.sort_of(*variable) == sort)
    })
}
