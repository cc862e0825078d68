//! What changes links.

use super::flows::Holder;
use super::{Limit, Measures, WalkId, any};
use crate::open::MemberId;
use crate::slice::sum::{Sum, sum};
use crate::{BinaryOp, Command, Expr, Gap, ProcedureId, ScalarType, Variable};
use base::source::Span;
use std::collections::BTreeSet;

/// A change of links: the members that may be changed, or all, and where.
struct Change<'a> {
    members: &'a [MemberId],
    place: Place<'a>,
}

/// Where links may change.
#[derive(Clone, Copy)]
enum Place<'a> {
    Anywhere,
    /// Somewhere in the object that this leads to.
    In(&'a Expr),
    /// What lies at this address.
    At(&'a Expr),
    /// The object that this leads to.
    Of(&'a Expr),
}

impl Measures<'_> {
    /// The walks along links that commands of the function may change.
    pub(super) fn changing(&self) -> BTreeSet<WalkId> {
        let mut found = BTreeSet::new();
        for index in 0..self.program.procedures.len() {
            let id = ProcedureId::at(index);
            if id == self.program.entry {
                continue;
            }
            for block in &self.program.procedure(id).blocks {
                for it in &block.commands {
                    if let Some(change) = self.change(&it.command, it.span) {
                        let walks = self.families.walks();
                        let own = walks.filter(|(id, it)| {
                            it.may_go_along(change.members) && !self.is_elsewhere(id.0, &change)
                        });
                        found.extend(own.map(|it| it.0));
                    }
                }
            }
        }
        found
    }

    /// What is not any more what it was behind a command.
    pub(super) fn changed_by(
        &self,
        command: &Command,
        span: Span,
        before: Variable,
    ) -> Vec<Command> {
        let Some(change) = self.change(command, span) else { return Vec::new() };
        let mut commands = Vec::new();
        for (id, walk) in self.families.walks() {
            let Some(Limit { least, .. }) = self.limits.get(&id).copied() else { continue };
            if !walk.may_go_along(change.members) || self.is_elsewhere(id.0, &change) {
                continue;
            }
            let node = match change.place {
                Place::Anywhere | Place::In(_) => None,
                Place::At(address) => self.node_at(id, address),
                Place::Of(object) if self.is_no_node(id.0, object) => continue,
                Place::Of(object) => self.node_of(id, object),
            };
            match node {
                Some(way) => commands.extend(at_most(least, way, before)),
                None => commands.push(Command::Assign { target: least, value: Expr::Constant(0) }),
            }
        }
        commands
    }

    /// How far links lead from the node whose link lies at an address, if it is known which one that
    /// is.
    fn node_at(&self, (family, index): WalkId, address: &Expr) -> Option<Variable> {
        let Sum { pointer, bytes, is_constant: true, .. } = sum(&self.program.variables, address)?
        else {
            return None;
        };
        let holder = Holder::Variable(pointer);
        let is_own = self.families.of.get(&holder) == Some(&family);
        let is_link = is_own && self.goes_along((family, index), (holder, bytes));
        is_link.then(|| self.measure[&holder][index])
    }

    /// How far links lead from the node that a pointer leads to, if it is known which one that is.
    fn node_of(&self, (family, index): WalkId, object: &Expr) -> Option<Variable> {
        let sum = sum(&self.program.variables, object).filter(|it| it.is_constant)?;
        let holder = Holder::Variable(sum.pointer);
        let is_own = self.families.of.get(&holder) == Some(&family);
        is_own.then(|| self.measure[&holder][index])
    }

    /// Whether no pointer of a family leads to a part of an object, nor round it, by their types.
    fn is_no_node(&self, family: usize, object: &Expr) -> bool {
        let forms = &self.program.forms;
        let form = |it: Variable| forms.of(it).map(|it| forms.element(it));
        let Some(own) = sum(&self.program.variables, object).and_then(|it| form(it.pointer)) else {
            return false;
        };
        let members = self.families.of.iter().filter(|(_, it)| **it == family);
        let mut nodes = members.filter_map(|(holder, _)| match holder {
            Holder::Variable(variable) => Some(form(*variable)),
            Holder::Result(_) => None,
        });
        nodes.all(|it| it.is_some_and(|node| forms.are_apart(own, node)))
    }

    /// Whether no pointer of a family leads to the object that is changed.
    fn is_elsewhere(&self, family: usize, change: &Change<'_>) -> bool {
        let (Place::In(address) | Place::At(address) | Place::Of(address)) = change.place else {
            return false;
        };
        let Some(Sum { pointer, .. }) = sum(&self.program.variables, address) else { return false };
        let mut holders = self.families.of.iter().filter(|(_, it)| **it == family);
        holders.all(|(holder, _)| match holder {
            Holder::Variable(variable) => self.origins.are_apart(pointer, *variable),
            // What comes of it is held by a variable.
            Holder::Result(_) => true,
        })
    }

    /// Whether so many bytes at an address are whole structures or pointers: a part of a pointer that
    /// is zero is no null pointer.
    fn are_whole(&self, address: &Expr, size: &Expr) -> bool {
        let forms = &self.program.forms;
        let Some(Sum { pointer, bytes, step, .. }) = sum(&self.program.variables, address) else {
            return false;
        };
        let form = forms.of(pointer).map(|it| forms.element(it));
        let form = form.filter(|it| !forms.is_scalar(*it) && forms.size(*it) > 0);
        let is_multiple = |it: i128, form| it.rem_euclid(forms.size(form)) == 0;
        let Expr::Constant(size) = size else { return false };
        form.is_some_and(|form| [bytes, step, *size].into_iter().all(|it| is_multiple(it, form)))
    }

    /// What a command may change. A null pointer in place of a link leads nowhere.
    fn change<'a>(&'a self, command: &'a Command, span: Span) -> Option<Change<'a>> {
        match command {
            Command::Store { ty: ScalarType::Pointer, value: Expr::Constant(0), .. } => None,
            Command::Fill { address, byte: Expr::Constant(0), size }
                if self.are_whole(address, size) =>
            {
                None
            }
            Command::Store { address, ty, .. } => {
                let members = self.open.members_at(span);
                // What is declared as a number is no link.
                let is_number = !members.is_empty() && !members.contains(&MemberId::UNITED);
                let may_be_link = match ty {
                    ScalarType::Pointer => true,
                    ScalarType::Int(kind) if kind.bits == 8 => !is_number,
                    ScalarType::Int(_) | ScalarType::Float(_) => self.open.has_unions && !is_number,
                };
                may_be_link.then_some(Change { members, place: Place::At(address) })
            }
            Command::Fill { address, .. } | Command::Copy { target: address, .. } => {
                Some(Change { members: &[], place: Place::In(address) })
            }
            Command::Unsupported { gap: Gap::Contents, .. } => {
                Some(Change { members: &[], place: Place::Anywhere })
            }
            Command::Unsupported { gap: Gap::Handed(address), .. } => {
                Some(Change { members: &[], place: Place::Of(address) })
            }
            _ => None,
        }
    }
}

/// A number becomes another one if that is less.
fn at_most(least: Variable, other: Variable, before: Variable) -> Vec<Command> {
    let compare = |op, other: Variable| Expr::binary(op, least.into(), other.into());
    let is_one = |it: Variable| compare(BinaryOp::Equal, it);
    let conditions = [
        compare(BinaryOp::LessEqual, before),
        compare(BinaryOp::LessEqual, other),
        Expr::binary(BinaryOp::Or, is_one(before), is_one(other)),
    ];
    let begin = [
        Command::Assign { target: before, value: least.into() },
        any(least, "links that are as they were"),
    ];
    let conditions = conditions.map(|condition| Command::Assume { condition });
    begin.into_iter().chain(conditions).collect()
}
