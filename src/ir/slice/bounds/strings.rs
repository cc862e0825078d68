//! Where bytes are 0 at which texts end.

use super::pointers::Holder;
use super::rewriter::Rewriter;
use super::steps::{Ends, Step, UNKNOWN, assume, binary, set};
use super::{Need, held, number};
use crate::slice::callees::CHOICE;
use crate::{BinaryOp, Callee, Command, Expr, ProcedureId, ScalarType, Variable};

impl Rewriter<'_> {
    pub(super) fn tells_strings(&self) -> bool {
        self.needs.iter().any(|it| matches!(it, Need::String(_) | Need::MemberString(_)))
    }

    /// What is read where a byte is 0 is 0.
    pub(super) fn compared_with_zero(
        &self,
        (target, ty): (Variable, ScalarType),
        address: &Expr,
        steps: &mut Vec<Step>,
    ) {
        let ends = self.sum(address).and_then(|it| self.ends.get(&it.pointer.index()));
        if let Some(Ends { zero: Some(zero), .. }) = ends
            && self.bytes(ty) == 1
            && address.variables().all(|it| it != target)
        {
            let is_another = binary(BinaryOp::NotEqual, address.clone(), *zero);
            let is_zero = binary(BinaryOp::Equal, target, Expr::Constant(0));
            steps.push(assume(binary(BinaryOp::Or, is_another, is_zero)));
        }
    }

    /// Whether a command may write a byte of others that is not 0.
    pub(super) fn is_spoiled(&self, command: &Command) -> bool {
        let is_of_others =
            |address: &Expr| self.sum(address).is_none_or(|it| self.may_be_of_others(it.pointer));
        match command {
            Command::Store { address, value, ty } => {
                let is_zero = matches!(value, Expr::Constant(0));
                let may_be_text = match self.bytes(*ty) {
                    1 => !is_zero,
                    _ => self.sum(address).is_none_or(|it| self.may_be_text(it.pointer)),
                };
                may_be_text && is_of_others(address)
            }
            Command::Fill { address, byte, .. } => {
                !matches!(byte, Expr::Constant(0)) && is_of_others(address)
            }
            Command::Copy { target, .. } => is_of_others(target),
            Command::Call { callee: Callee::Direct(callee), .. } => {
                self.spoils[self.program.followed(*callee).index()]
            }
            Command::Call { .. } | Command::Unsupported { .. } => true,
            _ => false,
        }
    }

    /// Whether a pointer may lead to bytes, by the types of all that it is made of.
    fn may_be_text(&self, pointer: Variable) -> bool {
        let forms = &self.program.forms;
        let sources = self.pointers.sources_of([pointer.index()].into());
        let variables = sources.into_iter().filter(|it| *it < self.program.variables.len());
        let mut known = variables.map(|it| forms.of(Variable::at(it)));
        known.any(|form| form.is_none_or(|it| forms.size(it) <= 1))
    }

    pub(super) fn find_spoilers(&mut self) {
        // What comes in and is called may write anything.
        let procedures = self.program.procedures.iter();
        self.spoils = procedures.map(|it| it.name.starts_with(CHOICE)).collect();
        let mut is_changed = true;
        while std::mem::take(&mut is_changed) {
            for (index, procedure) in self.program.procedures.iter().enumerate() {
                let mut commands = procedure.blocks.iter().flat_map(|it| &it.commands);
                if !self.spoils[index] && commands.any(|it| self.is_spoiled(&it.command)) {
                    self.spoils[index] = true;
                    is_changed = true;
                }
            }
        }
    }

    /// The same of the byte at an address.
    pub(super) fn spoil_at(&mut self, id: ProcedureId, address: &Expr, steps: &mut Vec<Step>) {
        let owner = |it: Holder| self.program.variables.get(it).and_then(|it| it.owner);
        let may_lead = |it: &(&Holder, &Ends)| owner(*it.0).is_none_or(|it| it == id);
        let zeros: Vec<Variable> =
            self.ends.iter().filter(may_lead).filter_map(|it| it.1.zero).collect();
        let before = match zeros.is_empty() {
            true => return,
            false => number(&mut self.rewritten, "$zero before".to_owned(), Some(id)),
        };
        let equal = |left: Expr, right: Expr| binary(BinaryOp::Equal, left, right);
        for zero in zeros {
            let lost = binary(
                BinaryOp::And,
                equal(address.clone(), before.into()),
                equal(zero.into(), UNKNOWN),
            );
            let kept = binary(
                BinaryOp::And,
                binary(BinaryOp::NotEqual, address.clone(), before),
                equal(zero.into(), before.into()),
            );
            steps.extend([set(before, zero), Step::Do(held(zero))]);
            steps.push(assume(binary(BinaryOp::Or, lost, kept)));
        }
    }

    /// No byte is known to be 0 any more: of what globals and the variables of a procedure lead to.
    pub(super) fn spoil(&self, id: Option<ProcedureId>, steps: &mut Vec<Step>) {
        let Some(id) = id else { return };
        for (holder, ends) in &self.ends {
            let owner = self.program.variables.get(*holder).and_then(|it| it.owner);
            if owner.is_none_or(|it| it == id) {
                steps.extend(ends.zero.map(|it| set(it, UNKNOWN)));
            }
        }
    }
}
