//! Members that are null in no structure of a type, and those that lead to strings.
//!
//! ```text
//!   m: a member of structures of type S, a pointer    none that callers made holds null there
//!   ─────────────────────────────────────────────────────────────────────────────────── MEMBER
//!   p := [q + m]   ⟶  …;  assume p ≠ 0
//!   [q + m] := p   ⟶  assert p ≠ 0;  …      where q may lead to a structure like S
//! ```
//!
//! Nobody can say of one list or tree that comes in what such code needs: that the links of a ring,
//! or the names of a table's entries, are there. What is accessed as one member is no other one
//! (C11 6.5p7). Constant structures hold what the file says, as do variables that nobody changes, so
//! nothing is said of their types.
//! The same is said of the elements of arrays of pointers; these may be members of structures, too,
//! so that what is written there is asked for.

use super::cells::Place;
use super::pointers::{Holder, Pointers};
use super::rewriter::Rewriter;
use super::steps::{Ends, Step, assume, binary};
use super::{Failure, MemberPlace, Need, Wrong, held};
use crate::cutpoint::CallGraph;
use crate::forms::FormId;
use crate::slice::sum::{Sum, sum};
use crate::{
    BinaryOp, Command, Expr, InitialContent, MemoryKind, Program, ScalarType, Terminator, UnaryOp,
    Variable,
};
use base::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Which members variables tell, with the pointers to what these lie in.
pub(super) fn of_cells(
    program: &Program,
    cells: &[(Variable, Place)],
) -> BTreeMap<Variable, (Variable, MemberPlace)> {
    let member = |(cell, Place { pointer, bytes, step, ty }): &(Variable, Place)| {
        let is_pointer = *ty == ScalarType::Pointer;
        let place = is_pointer.then(|| member_of(program, *pointer, (*bytes, *step)))??;
        Some((*cell, (*pointer, place)))
    };
    cells.iter().filter_map(member).collect()
}

/// The member so many bytes behind a pointer, and behind multiples of a number of bytes more.
fn member_of(
    program: &Program,
    pointer: Variable,
    (bytes, step): (i128, i128),
) -> Option<MemberPlace> {
    let forms = &program.forms;
    let form = forms.element(forms.of(pointer)?);
    let size = Some(forms.size(form)).filter(|it| *it > 0 && step.rem_euclid(*it) == 0)?;
    let (at, width) = (bytes.rem_euclid(size), i128::from(program.pointer_bytes));
    let is_element =
        || at == 0 && !forms.is_structure(form) && forms.pointee(form, 0, width).is_some();
    let member = forms.holder(form, at, width);
    let (structure, offset) = member.or_else(|| is_element().then_some((form, 0)))?;
    Some(MemberPlace { structure, offset })
}

/// By pointer: the members that it may be read from.
pub(super) struct MembersRead {
    by_holder: BTreeMap<Holder, BTreeSet<MemberPlace>>,
    /// Those that are compared with null somewhere: a program that asks expects some that are null.
    pub(super) compared: BTreeSet<MemberPlace>,
}

impl MembersRead {
    /// Those that some pointers may be read from.
    pub(super) fn of(&self, holders: &BTreeSet<Holder>) -> BTreeSet<MemberPlace> {
        holders.iter().filter_map(|it| self.by_holder.get(it)).flatten().copied().collect()
    }
}

impl Rewriter<'_> {
    /// What pointers are read from.
    pub(super) fn members_read(&self) -> MembersRead {
        let mut by_holder: BTreeMap<Holder, BTreeSet<MemberPlace>> = BTreeMap::new();
        for cell in self.members.keys() {
            by_holder.entry(cell.index()).or_default().extend(self.member_told(*cell));
        }
        for command in self.program.commands() {
            if let Command::Load { target, address, ty: ScalarType::Pointer } = command {
                by_holder.entry(target.index()).or_default().extend(self.member_at(address));
            }
        }
        let mut read = MembersRead { by_holder, compared: BTreeSet::new() };
        let tested = tested(self.program, self.pointers);
        read.compared = read.of(&tested);
        read
    }

    /// The member that a variable tells.
    pub(super) fn member_told(&self, variable: Variable) -> Option<MemberPlace> {
        let (root, member) = self.members.get(&variable)?;
        (self.holds_what_types_say(*root) && self.is_of_its_own(*root, *member)).then_some(*member)
    }

    /// The member at an address, where types tell.
    pub(super) fn member_at(&self, address: &Expr) -> Option<MemberPlace> {
        let Sum { pointer, bytes, step, .. } = self.sum(address)?;
        let is_known = self.holds_what_types_say(pointer);
        let place = is_known.then(|| member_of(self.program, pointer, (bytes, step)))??;
        self.is_of_its_own(pointer, place).then_some(place)
    }

    /// Whether a pointer leads to a member, or to an element and not to a member like one: the
    /// address of a member of a structure is none of an array of pointers.
    fn is_of_its_own(&self, pointer: Variable, place: MemberPlace) -> bool {
        self.program.forms.is_structure(place.structure)
            || self.types_of(pointer).into_iter().all(|it| it == place.structure)
    }

    /// Whether a pointer leads only to what callers made, or what lasts, and that is as its type
    /// says.
    fn holds_what_types_say(&self, pointer: Variable) -> bool {
        let found = self.pointers.of_variable(pointer);
        found.is_lasting() && !found.is_odd && self.keeps_its_type(pointer)
    }

    /// A pointer has the value of such a member, of what callers made.
    pub(super) fn keep_member(
        &self,
        target: Variable,
        member: Option<MemberPlace>,
        steps: &mut Vec<Step>,
    ) {
        let needs = |need: Need| self.needs.contains(&need);
        if member.is_some_and(|it| needs(Need::Member(it))) {
            steps.push(assume(binary(BinaryOp::Greater, target, Expr::Constant(0))));
        }
        if member.is_some_and(|it| needs(Need::MemberString(it)))
            && let Some(Ends { high, zero: Some(zero), .. }) = self.ends.get(&target.index())
        {
            steps.push(Step::Do(held(*zero)));
            steps.push(assume(Self::is_string(target.into(), *high, *zero)));
        }
    }

    /// The members that calls keep to something of.
    fn kept_members(&self) -> impl Iterator<Item = (MemberPlace, bool)> {
        self.needs.iter().filter_map(|it| match it {
            Need::Member(place) => Some((*place, false)),
            Need::MemberString(place) => Some((*place, true)),
            _ => None,
        })
    }

    /// Whether things of a type keep to what is said of members when they are copied to others of
    /// that type: where elements of arrays are kept to, those alone.
    pub(super) fn keeps_elements(&self, form: Option<FormId>) -> bool {
        let mut places = self.kept_members().map(|it| it.0.structure);
        places.all(|it| self.program.forms.is_structure(it) || Some(it) == form)
    }

    /// Whether something can be kept to of members: no constant has them, no variable of the file
    /// that keeps its first value, and no text is written.
    pub(super) fn check_members(&self) -> Option<()> {
        let forms = &self.program.forms;
        let holds = |form: FormId| {
            self.kept_members().any(|(place, _)| !forms.are_apart(form, place.structure))
        };
        let is_constant = self.program.commands().any(|command| {
            let block = match command {
                Command::Free { address: Expr::Variable(block), kind: MemoryKind::Constant } => {
                    *block
                }
                Command::Allocate { target, kind: MemoryKind::Constant, .. }
                | Command::Allocate {
                    target,
                    kind: MemoryKind::Static,
                    content: InitialContent::Zero,
                    ..
                } => *target,
                _ => return false,
            };
            // What has no form is a literal, or an object of a type that no pointer follows.
            forms.of(block).is_some_and(holds)
        });
        let spoils = || {
            let reached = CallGraph::of_program(self.program).reachable([self.program.entry]);
            let others = reached.into_iter().filter(|it| *it != self.program.entry);
            let mut entered = others.flat_map(|it| self.program.entered(it));
            entered.any(|it| self.spoils[it.index()])
        };
        let are_texts_written = self.kept_members().any(|it| it.1) && spoils();
        (!(is_constant || are_texts_written)).then_some(())
    }

    /// What is written keeps to what holds of members.
    pub(super) fn check_member(
        &mut self,
        (span, address): (Span, &Expr),
        (value, ty): (&Expr, ScalarType),
        steps: &mut Vec<Step>,
    ) {
        let Some(sum) = self.sum(address) else { return };
        if ty != ScalarType::Pointer || !self.may_be_of_others(sum.pointer) {
            return;
        }
        let is_met = |it: &(MemberPlace, bool)| self.may_be(address, it.0);
        let Some(is_text) = self.kept_members().filter(is_met).map(|it| it.1).max() else { return };
        let from = self.sum(value).map(|it| it.pointer);
        if let Some(from) = from {
            self.note((span, from), value, None);
        }
        let is_kept = match is_text || from.is_none() {
            true => Expr::Constant(0),
            false => binary(BinaryOp::Greater, value.clone(), Expr::Constant(0)),
        };
        steps.push(Step::Assert(Failure { wrong: Wrong::Member, pointer: from }, is_kept));
    }

    /// Whether a pointer at an address may be such a member: it is of the same structure and at the
    /// same place, as far as is known, and what it leads to is of the same type.
    fn may_be(&self, address: &Expr, place: MemberPlace) -> bool {
        let forms = &self.program.forms;
        let is_another = |at: MemberPlace| match at.structure == place.structure {
            true => at.offset != place.offset,
            false => forms.are_apart(at.structure, place.structure),
        };
        let width = i128::from(self.program.pointer_bytes);
        let of_member = forms.pointee(place.structure, place.offset, width);
        let leads_elsewhere = || {
            let (own, other) = (self.pointee_at(address)?, of_member?);
            let [own, other] = [own, other].map(|it| forms.size(it));
            Some(own != other && own > 0 && other > 0)
        };
        !self.member_at(address).is_some_and(is_another) && leads_elsewhere() != Some(true)
    }

    /// What pointers lead to that lie at an address, where types tell.
    fn pointee_at(&self, address: &Expr) -> Option<FormId> {
        let Sum { pointer, bytes, step, .. } = self.sum(address)?;
        if !self.holds_what_types_say(pointer) {
            return None;
        }
        let forms = &self.program.forms;
        let form = forms.element(forms.of(pointer)?);
        let size = Some(forms.size(form)).filter(|it| *it > 0 && step.rem_euclid(*it) == 0)?;
        forms.pointee(form, bytes.rem_euclid(size), i128::from(self.program.pointer_bytes))
    }

    /// No such members are filled.
    pub(super) fn check_members_filled(&self, address: &Expr, size: &Expr, steps: &mut Vec<Step>) {
        let pointer = self.sum(address).map(|it| it.pointer);
        let may_meet = pointer.is_none_or(|it| self.may_be_of_others(it))
            && self.holds_pointers(address, size);
        if may_meet && self.kept_members().next().is_some() {
            steps.push(Step::Assert(Wrong::Member.alone(), Expr::Constant(0)));
        }
    }
}

/// The holders whose values are compared with null.
fn tested(program: &Program, pointers: &Pointers) -> BTreeSet<Holder> {
    let sum = |it: &Expr| sum(&program.variables, it).map(|it| it.pointer.index());
    let mut found: BTreeSet<Holder> = BTreeSet::new();
    for part in program.expressions().flat_map(Expr::parts) {
        match part {
            Expr::Binary(op, left, right) if op.is_comparison() => match (&**left, &**right) {
                (Expr::Constant(0), other) | (other, Expr::Constant(0)) => found.extend(sum(other)),
                _ => {}
            },
            Expr::Unary(UnaryOp::Not, operand) => found.extend(sum(operand)),
            _ => {}
        }
    }
    for block in program.blocks() {
        if let Terminator::Branch { condition, .. } = &block.terminator {
            found.extend(sum(condition));
        }
    }
    pointers.sources_of(found)
}
