//! Which pointers lead to bytes only: what is written there is no part of other objects that callers
//! made, as these are of their declared types.

use crate::slice::sum::sum;
use crate::{Callee, Command, Expr, HavocSource, ProcedureId, Program, Terminator, Variable};

/// The pointers, by variable, that only ever get values of type `char *` or such, by no cast.
pub(super) fn texts(program: &Program) -> Vec<bool> {
    let n_variables = program.variables.len();
    let mut texts = Texts { program, is_text: vec![true; n_variables + program.procedures.len()] };
    for index in 0..n_variables {
        let form = program.forms.of(Variable::at(index));
        texts.is_text[index] = form.is_none_or(|it| program.forms.size(it) == 1);
    }
    while texts.round() {}
    texts.is_text.truncate(n_variables);
    texts.is_text
}

struct Texts<'a> {
    program: &'a Program,
    /// By variable, then by procedure of its result.
    is_text: Vec<bool>,
}

impl Texts<'_> {
    /// Whether something turned out to be none.
    fn round(&mut self) -> bool {
        let mut lost = Vec::new();
        for (index, procedure) in self.program.procedures.iter().enumerate() {
            for instruction in procedure.blocks.iter().flat_map(|it| &it.commands) {
                self.command(&instruction.command, &mut lost);
            }
            let returned = procedure.blocks.iter().filter_map(|block| match &block.terminator {
                Terminator::Return(value) => value.as_ref(),
                _ => None,
            });
            let result = self.program.variables.len() + index;
            if self.is_text[result] && returned.into_iter().any(|it| !self.is_made_of_texts(it)) {
                lost.push(result);
            }
        }
        let mut is_changed = false;
        for it in lost {
            is_changed |= std::mem::take(&mut self.is_text[it]);
        }
        is_changed
    }

    fn command(&self, command: &Command, lost: &mut Vec<usize>) {
        match command {
            Command::Assign { target, value } if !self.is_made_of_texts(value) => {
                lost.push(target.index());
            }
            Command::Call { target, callee: Callee::Direct(callee), arguments } => {
                self.call((*target, *callee), arguments, lost);
            }
            Command::Load { target, .. }
            | Command::Havoc { target, source: HavocSource::Approximation(_) } => {
                if self.program.forms.of(*target).is_none() {
                    lost.push(target.index());
                }
            }
            Command::Havoc { source: HavocSource::Uninitialised, .. } | Command::Assign { .. } => {}
            command => lost.extend(command.target().map(Variable::index)),
        }
    }

    fn call(
        &self,
        (target, callee): (Option<Variable>, ProcedureId),
        arguments: &[Expr],
        lost: &mut Vec<usize>,
    ) {
        for callee in self.program.entered(callee) {
            let procedure = self.program.procedure(callee);
            let result = self.program.variables.len() + callee.index();
            if !procedure.is_defined() || !self.is_text[result] {
                lost.extend(target.map(Variable::index));
            }
            for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
                if !self.is_made_of_texts(argument) {
                    lost.push(parameter.index());
                }
            }
        }
    }

    fn is_made_of_texts(&self, value: &Expr) -> bool {
        match sum(&self.program.variables, value) {
            Some(it) => self.is_text[it.pointer.index()],
            None => matches!(value, Expr::Constant(0)),
        }
    }
}
