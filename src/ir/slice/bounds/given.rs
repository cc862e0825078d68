//! What is given up: one block is watched, whichever it is.
//!
//! ```text
//!   at most one place in memory leads into a block that is given up, and none in the block itself
//!   B: any block    H: the place that leads into B    o(p) = 1 if p leads into B, or else 0
//!   ───────────────────────────────────────────────────────────────────────────────── GIVEN UP
//!   x := [p + E]   ⟶  assert g = 0 | o(p) = 0;  …;  o(x) := 1, H := p + E  or  o(x) := 0
//!   [p + E] := x   ⟶  assert o(x) = 0 | x = l(x);  …;  H := p + E if o(x) = 1;  H := 0 if o(x) = 0 & p + E = H
//!   dispose(p)     ⟶  assert o(p) = 0 | g = 0;  g := 1 if o(p) = 1;  H := 0 if H lies in p's block
//! ```
//!
//! What a function may give up that it is handed, and that no more is known of, counts as given up: so
//! it is not used any more. As B is any block, what is shown of it holds of all: none is used after it is given up, nor given
//! up twice. H is not known (k = 0) before something is read there. Where a second place comes to
//! lead into B (s = 1), it must not be given up any more. Parameters, and what functions without a
//! body return, may lead anywhere; of what types tell apart, none leads into the other (C11 6.5p7).

use super::rewriter::Rewriter;
use super::steps::{Ends, Step, assume, binary, set};
use super::{Need, Wrong, held, number};
use crate::forms::FormId;
use crate::slice::sum::Sum;
use crate::{
    BinaryOp, Command, Expr, Gap, Instruction, MemoryKind, ProcedureId, Program, ScalarType,
    Variable,
};
use base::source::Span;
use std::collections::BTreeSet;

/// What is known of the block that is watched.
#[derive(Clone)]
pub(super) struct Given {
    /// The place in memory that leads into it, or 0 (H).
    home: Variable,
    /// Whether that is known (k).
    is_known: Variable,
    /// Whether it was given up (g).
    is_gone: Variable,
    /// Whether more than one place may lead into it (s).
    is_shared: Variable,
    /// The types of what is given up; nothing where one is not known.
    types: Option<Vec<FormId>>,
}

/// Where something is read: the address, and whether it lies in the block itself.
#[derive(Clone)]
pub(super) struct Found {
    address: Expr,
    from: Expr,
}

const NO: Expr = Expr::Constant(0);
const YES: Expr = Expr::Constant(1);

fn equal(left: impl Into<Expr>, right: impl Into<Expr>) -> Expr {
    binary(BinaryOp::Equal, left, right)
}

fn differ(left: impl Into<Expr>, right: impl Into<Expr>) -> Expr {
    binary(BinaryOp::NotEqual, left, right)
}

/// Before another address, or there.
fn up_to(left: impl Into<Expr>, right: impl Into<Expr>) -> Expr {
    binary(BinaryOp::LessEqual, left, right)
}

fn before(left: impl Into<Expr>, right: impl Into<Expr>) -> Expr {
    binary(BinaryOp::Less, left, right)
}

fn either(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Or, left, right)
}

/// A way that is gone where all of this holds, and what is so then.
fn way<const N: usize, const M: usize>(
    conditions: [Expr; N],
    values: [(Variable, Expr); M],
) -> Vec<Command> {
    let conditions = conditions.into_iter().map(|condition| Command::Assume { condition });
    let values = values.into_iter().map(|(target, value)| Command::Assign { target, value });
    conditions.chain(values).collect()
}

/// Whether something is given up, to `free` or to functions of which no more is known than that.
#[must_use]
pub fn gives_up(program: &Program) -> bool {
    let givers = program.open.as_ref().map_or(&[][..], |it| &it.givers);
    program.frees() || !givers.is_empty() || program.commands().any(|it| handed(it).is_some())
}

/// What is given up, or may be.
fn handed(command: &Command) -> Option<&Expr> {
    match command {
        Command::Unsupported { gap: Gap::Handed(object), .. } => Some(object),
        _ => None,
    }
}

impl Rewriter<'_> {
    /// The numbers about the block that is watched, if any may be given up.
    pub(super) fn watched(&mut self) -> Option<Given> {
        if !self.needs.contains(&Need::Owned) {
            return None;
        }
        let mut make = |what: &str| number(&mut self.rewritten, format!("${what}"), None);
        let names = ["home", "home is known", "gone", "shared"];
        let [home, is_known, is_gone, is_shared] = names.map(&mut make);
        let forms = &self.program.forms;
        let given = self.program.commands().filter_map(|it| match it {
            Command::Free { address, kind: MemoryKind::Heap } => Some(address),
            other => handed(other),
        });
        // Of all that such a pointer is made of, the types are known, or of none.
        let typed = |holder: usize| {
            let variable = (holder < self.program.variables.len()).then(|| Variable::at(holder))?;
            let form = forms.element(forms.of(variable)?);
            (forms.size(form) > 0).then_some(form)
        };
        let holders: Option<BTreeSet<usize>> =
            given.map(|it| Some(self.sum(it)?.pointer.index())).collect();
        let holders = holders.map(|it| self.pointers.sources_of(it));
        let types = holders.and_then(|it| it.into_iter().map(typed).collect());
        Some(Given { home, is_known, is_gone, is_shared, types })
    }

    /// What the entry does first: nothing is given up.
    pub(super) fn watch(&self) -> Vec<Instruction> {
        let Some(given) = &self.given else { return Vec::new() };
        let numbers = [given.home, given.is_known, given.is_gone, given.is_shared];
        let commands = way([], numbers.map(|it| (it, NO)));
        let instruction = |command| Instruction { command, span: Span::NOWHERE };
        commands.into_iter().map(instruction).collect()
    }

    /// Parameters lead where calls keep to: no place in memory does, where one has to be the only one.
    pub(super) fn keep_apart(
        &self,
        own: impl Fn(Variable) -> Option<Variable>,
        steps: &mut Vec<Step>,
    ) {
        let Some(Given { is_known, .. }) = self.given else { return };
        let mut sum = NO;
        for need in self.needs {
            match need {
                Need::Sole(one) => {
                    let Some(own) = own(*one) else { continue };
                    if sum == NO {
                        steps.push(Step::Do(held(is_known)));
                        steps.push(assume(up_to(is_known, YES)));
                    }
                    steps.push(assume(up_to(own, is_known)));
                    sum = binary(BinaryOp::Add, sum, own);
                }
                Need::Apart(one, other) => {
                    let both = own(*one).zip(own(*other));
                    let sum = both.map(|(one, other)| binary(BinaryOp::Add, one, other));
                    steps.extend(sum.map(|it| assume(up_to(it, YES))));
                }
                _ => {}
            }
        }
        if sum != NO {
            steps.push(assume(up_to(is_known, sum)));
        }
    }

    /// Whether a pointer of this type may lead into what is given up.
    fn may_be_given(&self, form: Option<FormId>) -> bool {
        let forms = &self.program.forms;
        let types = self.given.as_ref().and_then(|it| it.types.as_ref());
        let Some((form, types)) = form.zip(types) else { return true };
        types.iter().any(|it| !forms.are_apart(form, *it))
    }

    /// A pointer has a value that came in: it may lead into the block, unless that is gone. What
    /// memory holds may lead there still.
    pub(super) fn begin_own(
        &self,
        (pointer, value): (Variable, &Expr),
        ends: Ends,
        steps: &mut Vec<Step>,
    ) {
        let (Some(Given { is_gone, .. }), Some(own)) = (&self.given, ends.own) else { return };
        steps.push(Step::Do(held(own)));
        steps.push(assume(up_to(NO, own)));
        let most = match self.may_be_given(self.program.forms.of(pointer)) {
            true => YES,
            false => NO,
        };
        steps.push(assume(up_to(own, most)));
        // Null leads nowhere.
        steps.push(assume(up_to(own, value.clone())));
        if !self.told.contains(&pointer) {
            let sum = binary(BinaryOp::Add, own, *is_gone);
            steps.push(assume(up_to(sum, YES)));
        }
    }

    /// Where something is read, said before that gets its value.
    pub(super) fn place(
        &mut self,
        id: ProcedureId,
        (target, address): (Variable, &Expr),
        steps: &mut Vec<Step>,
    ) -> Found {
        let from = self.own_of(address);
        if self.given.is_none() || !address.variables().any(|it| it == target) {
            return Found { address: address.clone(), from };
        }
        let mut kept = |what: &str, value: Expr| {
            let kept = number(&mut self.rewritten, format!("${what}"), Some(id));
            steps.push(set(kept, value));
            Expr::from(kept)
        };
        Found { address: kept("place", address.clone()), from: kept("place is own", from) }
    }

    /// What is read leads into the block where it lies at the place that does.
    pub(super) fn find(
        &self,
        target: Variable,
        (address, place): (&Expr, &Found),
        steps: &mut Vec<Step>,
    ) {
        let Some(Given { home, is_known, is_shared, .. }) = self.given else { return };
        let Some(own) = self.ends.get(&target.index()).and_then(|it| it.own) else { return };
        let Some(Sum { pointer, .. }) = self.sum(address) else { return };
        // Of memory of its own a program knows what lies there, or nothing.
        if !self.pointers.of_variable(pointer).is_lasting() {
            return;
        }
        if !self.may_be_given(self.program.forms.of(target)) {
            steps.push(set(own, NO));
            return;
        }
        let Found { address, from } = place.clone();
        let yes = (own, YES);
        let is_there = before(NO, target);
        let is_outside = equal(from, NO);
        let new = [(home, address.clone()), (is_known, YES), yes.clone()];
        let is_new = [is_there.clone(), is_outside.clone(), equal(is_known, NO)];
        let is_home =
            [is_there.clone(), is_outside, equal(is_known, YES), equal(address.clone(), home)];
        steps.push(Step::OneOf(vec![
            way([], [(own, NO)]),
            way(is_new, new),
            way(is_home, [yes.clone()]),
            way([is_there, equal(is_shared, YES)], [yes]),
        ]));
    }

    /// What is followed is not gone.
    pub(super) fn check_there(&self, pointer: Variable, steps: &mut Vec<Step>) {
        let Some(Given { is_gone, .. }) = self.given else { return };
        let own = self.ends.get(&pointer.index()).and_then(|it| it.own);
        let is_elsewhere = own.map(|it| equal(it, NO));
        let is_left = equal(is_gone, NO);
        let is_there = match is_elsewhere {
            Some(is_elsewhere) => either(is_elsewhere, is_left),
            None => is_left,
        };
        steps.push(Step::Assert(Wrong::Gone.of(pointer), is_there));
    }

    /// Whether a value leads into the block.
    fn own_of(&self, value: &Expr) -> Expr {
        let ends = self.sum(value).and_then(|it| self.ends.get(&it.pointer.index()));
        ends.and_then(|it| it.own).map_or(NO, Expr::from)
    }

    /// A pointer is kept at an address.
    pub(super) fn keep(
        &self,
        (address, value, ty): (&Expr, &Expr, ScalarType),
        steps: &mut Vec<Step>,
    ) {
        let Some(Given { home, is_known, is_shared, .. }) = self.given else { return };
        let pointer = self.sum(address).map(|it| it.pointer);
        let is_of_others = pointer.is_none_or(|it| self.may_be_of_others(it));
        if ty != ScalarType::Pointer || !is_of_others {
            return;
        }
        let (own, from) = (self.own_of(value), self.own_of(address));
        self.check_start(value, &own, steps);
        let leads = || equal(own.clone(), YES);
        let does_not = || equal(own.clone(), NO);
        let is_outside = || equal(from.clone(), NO);
        let known = || equal(is_known, YES);
        let unknown = || equal(is_known, NO);
        let is_home = || equal(address.clone(), home);
        let is_another = || differ(address.clone(), home);
        let here = || (home, address.clone());
        let second = || (is_shared, YES);
        steps.push(Step::OneOf(vec![
            way([does_not(), known(), is_home()], [(home, NO)]),
            way([does_not(), known(), is_another()], []),
            way([does_not(), unknown()], []),
            way([leads(), is_outside(), known(), equal(home, NO)], [here()]),
            way([leads(), known(), is_home()], []),
            way([leads(), known(), differ(home, NO), is_another()], [second()]),
            way([leads(), is_outside(), unknown()], [here(), (is_known, YES)]),
            way([leads(), unknown()], [second()]),
            way([leads(), equal(from.clone(), YES)], [second()]),
        ]));
    }

    /// What may be given up later leads to the start of its block: who reads it takes that for granted.
    fn check_start(&self, value: &Expr, own: &Expr, steps: &mut Vec<Step>) {
        let Some(Sum { pointer, .. }) = self.sum(value) else { return };
        let Some(Ends { low, .. }) = self.ends.get(&pointer.index()) else { return };
        if self.may_be_given(self.program.forms.of(pointer)) {
            let is_start = either(equal(value.clone(), NO), equal(value.clone(), *low));
            let is_start = either(equal(own.clone(), NO), is_start);
            steps.push(Step::Assert(Wrong::Start.of(pointer), is_start));
        }
    }

    /// Whether what others can read may be freed by them, and is none of the heap's.
    pub(super) fn may_free_variable(&self, pointer: Variable) -> bool {
        self.given.is_some()
            && self.pointers.of_variable(pointer).is_static
            && self.may_be_given(self.program.forms.of(pointer))
    }

    /// What is not known may have changed memory: any place may lead into the block.
    pub(super) fn share(&self, steps: &mut Vec<Step>) {
        steps.extend(self.given.as_ref().map(|it| set(it.is_shared, YES)));
    }

    /// Pointers may be null now in so many bytes at an address.
    pub(super) fn forget(&self, address: &Expr, size: &Expr, steps: &mut Vec<Step>) {
        let Some(Given { home, .. }) = self.given else { return };
        if self.holds_pointers(address, size) {
            steps.push(Step::OneOf(vec![way([], []), way([], [(home, NO)])]));
        }
    }

    /// No pointers are copied where blocks are given up.
    pub(super) fn check_kept_once(&self, target: &Expr, size: &Expr) -> Option<()> {
        let pointer = self.sum(target).map(|it| it.pointer);
        let is_own = pointer.is_some_and(|it| !self.may_be_of_others(it));
        (self.given.is_none() || is_own || !self.holds_pointers(target, size)).then_some(())
    }

    /// A block is given up: nothing lies in it any more.
    pub(super) fn give_up(
        &mut self,
        (span, address): (Span, &Expr),
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let Given { home, is_known, is_gone, is_shared, .. } = self.given.clone()?;
        if matches!(address, Expr::Constant(0)) {
            return Some(());
        }
        let Sum { pointer, .. } = self.sum(address)?;
        let pointee = self.pointers.of_variable(pointer);
        if !pointee.is_lasting() || pointee.is_static || pointee.is_constant {
            return None;
        }
        let Ends { low, high, own, .. } = *self.ends.get(&pointer.index())?;
        let own = own?;
        self.note((span, pointer), address, None);
        let is_start = either(equal(address.clone(), NO), equal(address.clone(), low));
        let leads = || equal(own, YES);
        let does_not = || equal(own, NO);
        let known = || equal(is_known, YES);
        steps.push(Step::Assert(Wrong::Start.of(pointer), is_start));
        for may_be in [is_gone, is_shared] {
            let is_there = either(does_not(), equal(may_be, NO));
            steps.push(Step::Assert(Wrong::Gone.of(pointer), is_there));
        }
        steps.push(Step::OneOf(vec![
            way([leads()], [(is_gone, YES)]),
            way([does_not(), equal(is_known, NO)], []),
            way([does_not(), known(), up_to(low, home), before(home, high)], [(home, NO)]),
            way([does_not(), known(), before(home, low)], []),
            way([does_not(), known(), up_to(high, home)], []),
        ]));
        Some(())
    }
}
