//! What procedures may write, with what they call.

use super::Written;
use crate::cutpoint::CallGraph;
use crate::open::MemberId;
use crate::slice::sum::sum;
use crate::{Callee, Command, Gap, Instruction, ProcedureId, Program, ScalarType, Variable};
use std::collections::BTreeSet;

/// A write. The values of its procedure's variables are others than its callers know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Write {
    /// Anything may become anything.
    Anything,
    /// A global gets a value.
    Global(Variable),
    /// Memory is written through this pointer, if it is one: a scalar, or any number of bytes.
    Memory(Option<Variable>, Option<ScalarType>, Vec<MemberId>),
    /// Others are handed what this leads to.
    Handed(Option<Variable>),
}

impl Write {
    /// The same for a procedure that is told nothing of the variables.
    pub(super) fn of_memory(&self, is_text: impl Fn(Variable) -> bool) -> Option<Written<'_>> {
        let Self::Memory(pointer, ty, members) = self else { return None };
        let is_text = pointer.is_some_and(is_text);
        Some(Written { root: None, is_own: false, is_text, offset: None, ty: *ty, members })
    }
}

/// The writes of each procedure.
pub(super) struct Writers {
    /// By procedure.
    procedures: Vec<BTreeSet<Write>>,
    /// Those of all that are called through pointers. What comes in leaves memory as it is.
    through_pointers: BTreeSet<Write>,
}

impl Writers {
    pub(super) fn of(program: &Program) -> Self {
        let mut procedures: Vec<BTreeSet<Write>> = program
            .procedures
            .iter()
            .map(|it| {
                let commands = it.blocks.iter().flat_map(|it| &it.commands);
                let own = commands.filter_map(|it| own(program, it));
                own.chain((!it.is_defined()).then_some(Write::Anything)).collect()
            })
            .collect();
        let calls = CallGraph::of_program(program);
        let called = calls.called_through_pointers();
        let callees: Vec<Vec<ProcedureId>> =
            program.procedures.iter().map(|it| callees(program, &it.blocks, called)).collect();
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for (index, callees) in callees.iter().enumerate() {
                for callee in callees {
                    let theirs = procedures[callee.index()].clone();
                    let n_before = procedures[index].len();
                    procedures[index].extend(theirs);
                    is_changed |= procedures[index].len() > n_before;
                }
            }
        }
        let through = called.iter().flat_map(|it| procedures[it.index()].clone());
        Self { through_pointers: through.collect(), procedures }
    }

    /// What a call of this may write.
    pub(super) fn of_call<'a>(
        &'a self,
        program: &Program,
        callee: &Callee,
    ) -> impl Iterator<Item = &'a Write> + use<'a> {
        let sets: Vec<&BTreeSet<Write>> = match callee {
            Callee::Indirect(_) => vec![&self.through_pointers],
            Callee::Direct(callee) => {
                program.entered(*callee).map(|it| &self.procedures[it.index()]).collect()
            }
        };
        sets.into_iter().flatten()
    }
}

/// The procedures that the calls of another one may enter.
fn callees(
    program: &Program,
    blocks: &[crate::Block],
    through_pointers: &[ProcedureId],
) -> Vec<ProcedureId> {
    let commands = blocks.iter().flat_map(|it| &it.commands).map(|it| &it.command);
    let callees = commands.filter_map(|it| match it {
        Command::Call { callee, .. } => Some(callee),
        _ => None,
    });
    let entered = callees.flat_map(|it| match it {
        Callee::Indirect(_) => through_pointers.to_vec(),
        Callee::Direct(callee) => program.entered(*callee).collect(),
    });
    entered.collect::<BTreeSet<ProcedureId>>().into_iter().collect()
}

/// What a command itself writes. What is given up is not accessed any more.
pub(super) fn own(program: &Program, Instruction { command, span }: &Instruction) -> Option<Write> {
    let pointer = |address| sum(&program.variables, address).map(|it| it.pointer);
    let open = program.open.as_ref();
    let members = || open.map_or(&[][..], |it| it.members_at(*span)).to_vec();
    match command {
        Command::Store { address, ty, .. } => {
            Some(Write::Memory(pointer(address), Some(*ty), members()))
        }
        Command::Copy { target, .. } => Some(Write::Memory(pointer(target), None, members())),
        Command::Fill { address, .. } => Some(Write::Memory(pointer(address), None, Vec::new())),
        Command::Unsupported { gap, .. } => match gap {
            Gap::Granted(_) | Gap::Undefined => None,
            Gap::Handed(object) => Some(Write::Handed(pointer(object))),
            Gap::NotModelled | Gap::Contents => Some(Write::Anything),
        },
        Command::Call { callee: Callee::Indirect(_), .. }
            if open.is_some_and(|it| it.givers.contains(span)) =>
        {
            Some(Write::Anything)
        }
        other => {
            let global = other.target().filter(|it| program.variable(*it).owner.is_none());
            global.map(Write::Global)
        }
    }
}
