//! What kind of cell a block is that is allocated.

use crate::evidence::place::Place;
use crate::ir::links::Sort;
use crate::ir::{Command, Expr, ProcedureId, Terminator};
use crate::sonar::Machine;

/// The sort of the block that a command allocates, by the calls around it: where it is the
/// result of a procedure that allocates blocks of all kinds, or is called through a pointer
/// (an allocator that the user chooses), it has the sort of what that call's target points
/// at.
pub(super) fn by_calls(machine: &Machine<'_>, place: &Place, command: &Command) -> Option<Sort> {
    let Command::Allocate { target, .. } = command else { return None };
    let mut sort = machine.links.sort_of(*target);
    let mut callers = place.sites.iter().rev();
    let mut callee = callers.next()?.procedure;
    for site in callers {
        let block = machine.program.procedure(site.procedure).block(site.block);
        let Command::Call { target: Some(target), .. } = &block.commands.get(site.command)?.command
        else {
            break;
        };
        if !gives_back(machine, callee, sort) {
            break;
        }
        sort = machine.links.sort_of(*target);
        callee = site.procedure;
    }
    Some(sort)
}

/// Whether a procedure returns the addresses of blocks of a sort.
fn gives_back(machine: &Machine<'_>, procedure: ProcedureId, sort: Sort) -> bool {
    let blocks = &machine.program.procedure(procedure).blocks;
    blocks.iter().any(|block| {
        matches!(&block.terminator, Terminator::Return(Some(Expr::Variable(variable)))
            if machine.links.sort_of(*variable) == sort)
    })
}
