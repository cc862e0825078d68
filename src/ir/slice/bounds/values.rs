//! What pointers get: addresses with bounds, or any value.

use super::held;
use super::pointers::{Pointer, Position};
use super::rewriter::Rewriter;
use super::steps::{Ends, Step, assume_range, set};
use crate::semantics::address_kind;

use crate::slice::sum::Sum;
use crate::{Callee, Command, Expr, HavocSource, IntKind, ProcedureId, ScalarType, Variable};

impl Rewriter<'_> {
    pub(super) fn assign(&self, target: Variable, value: &Expr, steps: &mut Vec<Step>) {
        let mut number = value.clone();
        if !self.is_pointer(target) {
            self.as_number(&mut number);
        } else if self.sum(value).is_none() {
            self.as_number(&mut number);
            let kind = address_kind(self.program.pointer_bytes);
            number = Expr::Wrap(kind, Box::new(number));
        }
        let ends = self.ends.get(&target.index());
        // The bounds first: they may be made of the old value.
        steps.extend(ends.into_iter().flat_map(|ends| self.copy_ends(*ends, value)));
        steps.push(set(target, number));
    }

    pub(super) fn copy_ends(&self, ends: Ends, value: &Expr) -> Vec<Step> {
        let from = self.sum(value).and_then(|it| self.ends.get(&it.pointer.index()));
        match from {
            Some(from) if from.low == ends.low => Vec::new(),
            Some(from) => ends.all().zip(from.all()).map(|(to, from)| set(to, from)).collect(),
            None => ends.none().map(|(to, value)| set(to, value)).collect(),
        }
    }

    pub(super) fn havoc(&self, (target, source): (Variable, &HavocSource), steps: &mut Vec<Step>) {
        steps.push(Step::Do(Command::Havoc { target, source: source.clone() }));
        if let ScalarType::Int(kind) = self.program.variable(target).ty {
            steps.push(assume_range(target, kind));
        }
        if !self.is_pointer(target) {
            return;
        }
        match source {
            HavocSource::Approximation(_) if !self.pointers.of_variable(target).is_wild => {
                self.begin_object(target, target.into(), steps);
                self.keep_member(target, self.member_told(target), steps);
            }
            HavocSource::Approximation(_) | HavocSource::Uninitialised | HavocSource::Input(_) => {
                self.no_object(target, steps)
            }
        }
    }

    pub(super) fn no_object(&self, target: Variable, steps: &mut Vec<Step>) {
        if let Some(ends) = self.ends.get(&target.index()) {
            steps.extend(ends.none().map(|(to, value)| set(to, value)));
        }
    }

    /// What memory holds is any value of its type.
    pub(super) fn loaded(&self, target: Variable, address: &Expr, steps: &mut Vec<Step>) {
        steps.push(Step::Do(held(target)));
        match self.program.variable(target).ty {
            ScalarType::Int(kind) => {
                let truth = IntKind { bits: 8, signed: false };
                steps.push(assume_range(target, if kind.bits == 1 { truth } else { kind }));
            }
            ScalarType::Pointer => {
                let lasts = |it: Sum| self.pointers.of_variable(it.pointer).is_lasting();
                let is_typed = !self.pointers.of_variable(target).is_wild;
                match is_typed && self.sum(address).is_some_and(lasts) {
                    true => {
                        self.begin_object(target, target.into(), steps);
                        self.keep_member(target, self.member_at(address), steps);
                    }
                    false => self.no_object(target, steps),
                }
            }
            ScalarType::Float(_) => {}
        }
    }

    /// Pointers into a block have no value when its lifetime ends.
    pub(super) fn lose(
        &self,
        id: ProcedureId,
        address: &Expr,
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let Expr::Variable(block) = address else { return None };
        for index in 0..self.program.variables.len() {
            let (variable, owner) = (Variable::at(index), self.program.variables[index].owner);
            let Pointer { made, position, .. } = self.pointers.of_variable(variable);
            let is_kept = variable == *block && *position != Position::Anywhere;
            if !is_kept && made.contains(block) && (owner.is_none() || owner == Some(id)) {
                steps.push(Step::Do(held(variable)));
                self.no_object(variable, steps);
            }
        }
        Some(())
    }

    /// Globals that lead into what a procedure made until it returns have no value from then on.
    pub(super) fn leave(&self, id: ProcedureId) -> Vec<Step> {
        let mut steps = Vec::new();
        let is_own = |it: &Variable| self.program.variable(*it).owner == Some(id);
        for index in 0..self.program.variables.len() {
            let variable = Variable::at(index);
            let made = &self.pointers.of_variable(variable).made;
            if self.program.variable(variable).owner.is_none() && made.iter().any(is_own) {
                steps.push(Step::Do(held(variable)));
                self.no_object(variable, &mut steps);
            }
        }
        steps
    }

    pub(super) fn call(
        &self,
        id: ProcedureId,
        (target, callee): (Option<Variable>, ProcedureId),
        arguments: &[Expr],
        steps: &mut Vec<Step>,
    ) {
        let callee = self.program.followed(callee);
        if self.spoils[callee.index()] {
            self.spoil(Some(id), steps);
        }
        let parameters = &self.program.procedure(callee).parameters;
        let mut given = Vec::new();
        let mut bounds = Vec::new();
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let mut number = argument.clone();
            if !self.is_pointer(*parameter) || self.sum(argument).is_none() {
                self.as_number(&mut number);
            }
            given.push(number);
            if let Some(own) = self.ends.get(&parameter.index()) {
                let from = self.sum(argument).and_then(|it| self.ends.get(&it.pointer.index()));
                match from {
                    Some(ends) => bounds.extend(ends.all().map(Expr::from)),
                    None => bounds.extend(own.none().map(|(_, value)| value)),
                }
            }
        }
        given.extend(bounds);
        let is_defined = self.program.procedure(callee).is_defined();
        if !is_defined {
            self.share(steps);
        }
        let callee_of = Callee::Direct(callee);
        steps.push(Step::Do(Command::Call { target, callee: callee_of, arguments: given }));
        let Some(target) = target.filter(|it| self.is_pointer(*it)) else { return };
        if !is_defined {
            self.begin_object(target, target.into(), steps);
        } else if let Some(ends) = self.ends.get(&target.index()) {
            match self.ends.get(&self.pointers.result(callee)) {
                Some(from) => {
                    steps.extend(ends.all().zip(from.all()).map(|(to, from)| set(to, from)));
                }
                None => self.no_object(target, steps),
            }
        }
    }

    /// Addresses in an expression as the numbers that machines have: what is added may have gone
    /// round the ends of memory.
    pub(super) fn as_number(&self, expr: &mut Expr) {
        if self.sum(expr).is_some() {
            if !self.is_in_range(expr) {
                let kind = address_kind(self.program.pointer_bytes);
                let inner = std::mem::replace(expr, Expr::Constant(0));
                *expr = Expr::Wrap(kind, Box::new(inner));
            }
            return;
        }
        expr.operands_mut().for_each(|it| self.as_number(it));
    }

    /// Whether a pointer is surely a number that machines have.
    pub(super) fn is_in_range(&self, value: &Expr) -> bool {
        let Expr::Variable(pointer) = value else { return false };
        let Pointer { position, least, is_wild, .. } = self.pointers.of_variable(*pointer);
        match (position, least) {
            (Position::At(0, _), _) => !is_wild,
            (Position::At(at, _), Some(least)) => (0..=*least).contains(at) && !is_wild,
            _ => false,
        }
    }
}
