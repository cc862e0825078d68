//! Accesses as assertions.

use super::Wrong;
use super::pointers::{Nullness, Pointer, Position, WHOLE};
use super::rewriter::Rewriter;
use super::steps::{Check, Ends, Step, assume, binary, plus};
use crate::forms::FormId;
use crate::open::MemberId;
use crate::slice::sum::{Sum, steps};
use crate::{BinaryOp, Command, Expr, Overlap, ScalarType, Variable};
use base::source::Span;
use std::collections::BTreeSet;

impl Rewriter<'_> {
    /// An access to some bytes.
    pub(super) fn check(
        &mut self,
        span: Span,
        address: &Expr,
        bytes: i128,
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let Some(Sum { pointer, .. }) = self.sum(address) else {
            steps.push(Step::Assert(Wrong::Nowhere.alone(), Expr::Constant(0)));
            return Some(());
        };
        if let Some((pointer, at, nullness)) = self.steady(address, bytes) {
            if nullness == Nullness::Maybe {
                self.note((span, pointer), address, Some(bytes));
                let start = binary(BinaryOp::Greater, pointer, Expr::Constant(at));
                steps.push(Step::Assert(Wrong::Null.of(pointer), start));
            }
            self.check_there(pointer, steps);
            return Some(());
        }
        self.note((span, pointer), address, Some(bytes));
        self.assert_inside(pointer, address, Expr::Constant(bytes), steps)
    }

    /// A call through a pointer: what comes in is the address of a function, and what the program
    /// may have set itself is not null.
    pub(super) fn check_called(&mut self, span: Span, callee: &Expr, steps: &mut Vec<Step>) {
        if callee.variables().next().is_none() {
            return;
        }
        let Some(Sum { pointer, bytes: 0, is_constant: true, .. }) = self.sum(callee) else {
            steps.push(Step::Assert(Wrong::Nowhere.alone(), Expr::Constant(0)));
            return;
        };
        let is_global = self.program.variable(pointer).owner.is_none();
        if is_global || self.sets_pointers || !self.pointers.comes_in(pointer) {
            self.note((span, pointer), callee, None);
            let is_there = binary(BinaryOp::Greater, pointer, Expr::Constant(0));
            steps.push(Step::Assert(Wrong::Null.of(pointer), is_there));
        }
    }

    /// Whether pointers may be written that others can read.
    pub(super) fn may_set_pointers(&self) -> bool {
        let is_of_others =
            |address: &Expr| self.sum(address).is_none_or(|it| self.may_be_of_others(it.pointer));
        self.program.commands().any(|command| match command {
            Command::Store { address, ty: ScalarType::Pointer, .. }
            | Command::Fill { address, .. }
            | Command::Copy { target: address, .. } => is_of_others(address),
            _ => false,
        })
    }

    /// An access to so many bytes.
    pub(super) fn check_all(
        &mut self,
        (span, address): (Span, &Expr),
        size: &Expr,
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let Sum { pointer, .. } = self.sum(address)?;
        let bytes = match size {
            Expr::Constant(bytes) => Some(*bytes),
            _ => None,
        };
        self.note((span, pointer), address, bytes);
        let mut size = size.clone();
        self.as_number(&mut size);
        if !matches!(size, Expr::Constant(_)) {
            let is_size = binary(BinaryOp::GreaterEqual, size.clone(), Expr::Constant(0));
            steps.push(Step::Assert(Wrong::Size.alone(), is_size));
        }
        self.assert_inside(pointer, address, size, steps)
    }

    pub(super) fn assert_inside(
        &self,
        pointer: Variable,
        address: &Expr,
        bytes: Expr,
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let Ends { low, high, .. } = *self.ends.get(&pointer.index())?;
        let least = self.pointers.of_variable(pointer).least;
        let is_whole = |least| binary(BinaryOp::LessEqual, plus(low, least), high);
        let is_object = binary(BinaryOp::Greater, low, Expr::Constant(0));
        let is_behind_start = binary(BinaryOp::LessEqual, low, address.clone());
        let end = binary(BinaryOp::Add, address.clone(), bytes);
        let is_before_end = binary(BinaryOp::LessEqual, end, high);
        steps.push(Step::Assert(Wrong::Null.of(pointer), is_object));
        steps.extend(least.filter(|it| *it > 0).map(|it| assume(is_whole(it))));
        steps.push(Step::Assert(Wrong::Start.of(pointer), is_behind_start));
        steps.push(Step::Assert(Wrong::End.of(pointer), is_before_end));
        self.check_there(pointer, steps);
        Some(())
    }

    /// Notes that a pointer is followed to an address, to so many bytes there if that is known.
    pub(super) fn note(
        &mut self,
        (span, pointer): (Span, Variable),
        address: &Expr,
        bytes: Option<i128>,
    ) {
        let begins = self.constant(address);
        let ends = begins.zip(bytes).map(|(begins, bytes)| begins + bytes);
        let varies = self.sum(address).filter(|it| !it.is_constant);
        let reach = varies.zip(bytes).map(|(it, bytes)| it.bytes + bytes);
        self.checks.insert(Check { span, pointer, begins, ends, reach });
    }

    /// How many bytes an address is behind its pointer, if that is constant.
    pub(super) fn constant(&self, address: &Expr) -> Option<i128> {
        self.sum(address).filter(|it| it.is_constant).map(|it| it.bytes)
    }

    /// What pointers lead to that the file's own variables hold, nobody else may: these are not set
    /// anew. Addresses of functions are another matter.
    pub(super) fn check_kept(&self, command: &Command) -> Option<()> {
        let is_static = |address: &Expr| {
            self.sum(address).is_some_and(|it| self.pointers.of_variable(it.pointer).is_static)
        };
        let open = self.program.open.as_ref();
        let is_no_object = |it: &Variable| {
            open.is_some_and(|open| open.functions.contains(it) || open.holders.contains(it))
        };
        let loses = match command {
            Command::Store { address, ty: ScalarType::Pointer, .. } => is_static(address),
            Command::Fill { address, size, .. } | Command::Copy { target: address, size, .. } => {
                is_static(address) && self.holds_pointers(address, size)
            }
            command => command.target().is_some_and(|it| {
                self.program.variable(it).owner.is_none()
                    && self.is_pointer(it)
                    && !self.told.contains(&it)
                    && !is_no_object(&it)
            }),
        };
        (!loses).then_some(())
    }

    /// Nothing constant is written, as far as is known.
    pub(super) fn check_writable(&self, address: &Expr) -> Option<()> {
        let Sum { pointer, .. } = self.sum(address)?;
        (!self.pointers.of_variable(pointer).is_constant).then_some(())
    }

    /// What others can read leads to objects of its type, or is null.
    pub(super) fn check_stored(
        &mut self,
        (span, address): (Span, &Expr),
        value: &Expr,
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let holder = self.sum(address)?;
        if !self.pointers.of_variable(holder.pointer).made.is_empty() {
            // Nothing that is read there is followed. What is written there may not be of others.
            return (!self.may_be_of_others(holder.pointer)).then_some(());
        }
        if matches!(value, Expr::Constant(0)) {
            return Some(());
        }
        let Sum { pointer, .. } = self.sum(value)?;
        let Pointer { least, .. } = self.pointers.of_variable(pointer);
        if !self.pointers.of_variable(pointer).is_lasting() || self.may_free_variable(pointer) {
            return None;
        }
        if self.pointers.of_variable(holder.pointer).is_odd {
            return None;
        }
        let bytes = self.pointee(holder)?;
        if bytes == 0 && self.gives_types {
            return None;
        }
        let is_known = self.is_typed_by(address, value) || least.is_none_or(|it| it >= bytes);
        if self.is_start(value) && is_known {
            return Some(());
        }
        self.note((span, pointer), address, None);
        let Ends { low, high, .. } = *self.ends.get(&pointer.index())?;
        let null = binary(BinaryOp::Equal, value.clone(), Expr::Constant(0));
        let begins = binary(BinaryOp::LessEqual, low, value.clone());
        let ends = binary(BinaryOp::LessEqual, plus(value.clone(), bytes), high);
        let [begins, ends] = [begins, ends].map(|it| binary(BinaryOp::Or, null.clone(), it));
        steps.push(Step::Assert(Wrong::Start.of(pointer), begins));
        steps.push(Step::Assert(Wrong::End.of(pointer), ends));
        Some(())
    }

    /// Whether an untyped pointer is kept where it leads to a structure by what lies there: as where
    /// one is assigned to a variable of such a type.
    fn is_typed_by(&self, address: &Expr, value: &Expr) -> bool {
        let forms = &self.program.forms;
        let Expr::Variable(pointer) = value else { return false };
        let is_untyped = forms.of(*pointer).is_some_and(|it| forms.size(it) == 0)
            && self.pointers.of_variable(*pointer).is_untyped_start();
        let to = || self.sum(address).and_then(|it| self.pointee_form(it));
        is_untyped && to().is_some_and(|it| forms.is_structure(it) && forms.size(it) > 0)
    }

    /// Whether untyped pointers get types where they are kept.
    pub(super) fn types_what_it_keeps(&self) -> bool {
        self.program.commands().any(|command| match command {
            Command::Store { address, value, ty: ScalarType::Pointer } => {
                self.is_typed_by(address, value)
            }
            _ => false,
        })
    }

    /// Whether a pointer may lead to what the function did not make itself.
    pub(super) fn may_be_of_others(&self, pointer: Variable) -> bool {
        let Pointer { is_wild, is_of_others, .. } = self.pointers.of_variable(pointer);
        *is_wild || *is_of_others
    }

    /// How many bytes lie at least behind a pointer that is kept at an address, by its type there.
    pub(super) fn pointee(&self, holder: Sum) -> Option<i128> {
        self.pointee_form(holder).map(|it| self.program.forms.size(it))
    }

    /// What a pointer leads to that is kept at an address, by its type there.
    fn pointee_form(&self, holder: Sum) -> Option<FormId> {
        let forms = &self.program.forms;
        let width = i128::from(self.program.pointer_bytes);
        let form = forms.element(forms.of(holder.pointer)?);
        let (form, offset) = forms.within(form, (holder.bytes, holder.step))?;
        forms.pointee(form, offset, width)
    }

    /// What is an element of a member by its address stays in that member: by its type only what lies
    /// there is known.
    pub(super) fn check_row(&self, address: &Expr, bytes: Expr, steps: &mut Vec<Step>) {
        let forms = &self.program.forms;
        let Some(Sum { pointer, bytes: at, step, .. }) = self.sum(address) else { return };
        let Some(form) = forms.of(pointer).map(|it| forms.element(it)) else { return };
        if step.checked_rem_euclid(forms.size(form)).is_none_or(|it| it == 0) {
            return;
        }
        let Some((from, to, _)) = forms.row(form, at, step) else { return };
        let begins = binary(BinaryOp::LessEqual, plus(pointer, from), address.clone());
        let end = binary(BinaryOp::Add, address.clone(), bytes);
        let ends = binary(BinaryOp::LessEqual, end, plus(pointer, to));
        steps.push(Step::Assert(Wrong::Start.of(pointer), begins));
        steps.push(Step::Assert(Wrong::End.of(pointer), ends));
    }

    /// A number that is written is no part of a pointer of others: it is a member of a structure, it
    /// lies at a known place, or there are no pointers in what it may be written to.
    pub(super) fn check_number(&self, (span, address): (Span, &Expr), bytes: i128) -> Option<()> {
        let sum = self.sum(address)?;
        let Sum { pointer, bytes: more, is_constant, .. } = sum;
        let members = self.program.open.as_ref().map_or(&[][..], |it| it.members_at(span));
        let is_member = !members.is_empty()
            && !members.contains(&MemberId::UNITED)
            && self.is_what_it_was(sum, bytes);
        let Pointer { position, is_odd, .. } = self.pointers.of_variable(pointer);
        let lies_apart = || {
            let Position::At(at, _) = position else { return false };
            let (from, forms) = (at + more, &self.program.forms);
            is_constant
                && !is_odd
                && self.types_of(pointer).into_iter().all(|it| {
                    !forms.has_pointers(it, WHOLE)
                        || from + bytes <= forms.size(it)
                            && !forms.has_pointers(it, (from, from + bytes))
                })
        };
        let is_other = is_member
            || !self.may_be_of_others(pointer)
            || !self.may_hold_pointers(pointer)
            || lies_apart();
        is_other.then_some(())
    }

    /// Whether no pointer lies in so many bytes at an address, by the type of the pointer there, and
    /// that is what those of all say that it is made of.
    fn is_what_it_was(&self, Sum { pointer, bytes: at, step, .. }: Sum, bytes: i128) -> bool {
        let forms = &self.program.forms;
        let Some(own) = forms.of(pointer).map(|it| forms.element(it)) else {
            return !self.may_hold_pointers(pointer);
        };
        let size = forms.size(own);
        if size > 0 && step.rem_euclid(size) == 0 {
            let from = at.rem_euclid(size);
            if forms.has_pointers(own, (from, from + bytes)) {
                return false;
            }
        }
        self.keeps_its_type(pointer)
    }

    /// Whether what a pointer leads to is what its type says, by the types of all that it is made of:
    /// those with pointers hold things of this type, or lie in such. Types that are alike only are
    /// others. Of numbers it is known where they are parts of what they are taken from.
    pub(super) fn keeps_its_type(&self, pointer: Variable) -> bool {
        let forms = &self.program.forms;
        let Some(own) = forms.of(pointer).map(|it| forms.element(it)) else { return false };
        if self.pointers.of_variable(pointer).is_odd {
            return !self.may_hold_pointers(pointer);
        }
        forms.is_scalar(own)
            || self.types_of(pointer).into_iter().all(|it| {
                !forms.has_pointers(it, WHOLE) || forms.contains(it, own) || forms.contains(own, it)
            })
    }

    /// Whether what a pointer leads to may hold pointers, by the types of all that it is made of.
    /// What has no type is of the type that it is used as.
    fn may_hold_pointers(&self, pointer: Variable) -> bool {
        let forms = &self.program.forms;
        self.types_of(pointer).into_iter().any(|it| forms.has_pointers(it, WHOLE))
    }

    /// The types that a pointer has, and that those have which it is made of.
    pub(super) fn types_of(&self, pointer: Variable) -> BTreeSet<FormId> {
        let forms = &self.program.forms;
        let sources = self.pointers.sources_of([pointer.index()].into());
        let variables = sources.into_iter().filter(|it| *it < self.program.variables.len());
        let types = variables.filter_map(|it| forms.of(Variable::at(it)));
        types.map(|it| forms.element(it)).filter(|it| forms.size(*it) > 0).collect()
    }

    /// What holds pointers is filled with null only, and each of them whole.
    pub(super) fn check_filled(&self, address: &Expr, byte: &Expr, size: &Expr) -> Option<()> {
        let sum = self.sum(address)?;
        let pointer = sum.pointer;
        let forms = &self.program.forms;
        let types = self.types_of(pointer);
        let is_untyped = types.is_empty() && self.follows_what_is_read;
        let is_at_start = |form: FormId| match self.pointers.of_variable(pointer).position {
            Position::At(at, _) => at.rem_euclid(forms.size(form)) == 0,
            _ => forms.of(pointer).map(|it| forms.element(it)) == Some(form),
        };
        let is_whole = || {
            let mut with_pointers = types.iter().filter(|it| forms.has_pointers(**it, WHOLE));
            !is_untyped
                && !self.pointers.of_variable(pointer).is_odd
                && with_pointers.all(|it| is_at_start(*it) && self.is_whole(&sum, *it, size))
        };
        let has_pointers = self.may_be_of_others(pointer)
            && self.holds_pointers(address, size)
            && (self.may_hold_pointers(pointer) || is_untyped);
        let is_null = || matches!(byte, Expr::Constant(0)) && is_whole();
        (!has_pointers || is_null()).then_some(())
    }

    /// Whether so many bytes at an address are whole things of a form.
    fn is_whole(&self, Sum { bytes, step, .. }: &Sum, form: FormId, size: &Expr) -> bool {
        let (each, constant) = steps(size);
        let is_multiple = |it: i128| it.rem_euclid(self.program.forms.size(form)) == 0;
        [*bytes, *step, each, constant].into_iter().all(is_multiple)
    }

    /// Whether so many bytes at two addresses are the same part of things of a form, and no pointer
    /// is cut in two.
    fn is_same_part(&self, (one, other): (&Sum, &Sum), form: FormId, size: &Expr) -> bool {
        let forms = &self.program.forms;
        let (whole, width) = (forms.size(form), i128::from(self.program.pointer_bytes));
        let Expr::Constant(size) = *size else { return false };
        let offset = |it: &Sum| {
            let at = it.bytes.checked_rem_euclid(whole)?;
            (it.step.checked_rem_euclid(whole) == Some(0)).then_some(at)
        };
        let Some(from) = offset(one).filter(|it| Some(*it) == offset(other)) else { return false };
        let is_cut = |at: i128| {
            (at - width + 1..at).any(|it| forms.pointee(form, it, width).is_some())
                || forms.has_pointers(form, (at - 1, at))
                    && forms.has_pointers(form, (at, at + 1))
                    && forms.pointee(form, at, width).is_none()
        };
        from + size <= whole && !is_cut(from) && !is_cut(from + size)
    }

    /// What is copied keeps its type, and the bytes that are written are none of those read.
    pub(super) fn check_copied(
        &self,
        (target, size): (&Expr, &Expr),
        source: &Expr,
        overlap: Overlap,
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let (to_sum, from_sum) = (self.sum(target)?, self.sum(source)?);
        let (to, from) = (to_sum.pointer, from_sum.pointer);
        let is_own = |it: Variable| !self.may_be_of_others(it);
        // What is made here is no part of what others made, nor of another block.
        let [one, other] = [to, from].map(|it| self.pointers.of_variable(it));
        let is_made = |it: &Pointer| !it.made.is_empty();
        let are_apart = (is_made(one) || is_made(other))
            && !(self.may_be_of_others(to) && self.may_be_of_others(from))
            && one.made.is_disjoint(&other.made);
        // What has pointers is copied from things of the same type.
        let is_of_same_type = || {
            let types = self.types_of(to);
            let is_whole = match types.first() {
                Some(form) => {
                    [to_sum, from_sum].iter().all(|it| self.is_whole(it, *form, size))
                        || self.is_same_part((&to_sum, &from_sum), *form, size)
                }
                None => !self.follows_what_is_read,
            };
            types.len() <= 1
                && types == self.types_of(from)
                && is_whole
                && self.keeps_elements(types.first().copied())
                && !one.is_odd
                && !other.is_odd
        };
        let is_kept = is_own(to)
            || !self.holds_pointers(target, size)
            || (other.is_lasting() && is_of_same_type());
        if !are_apart && overlap != Overlap::Allowed {
            let mut size = size.clone();
            self.as_number(&mut size);
            let is_before = |one: &Expr, other: &Expr| {
                let end = binary(BinaryOp::Add, one.clone(), size.clone());
                binary(BinaryOp::LessEqual, end, other.clone())
            };
            let sides = (is_before(target, source), is_before(source, target));
            let are_apart = binary(BinaryOp::Or, sides.0, sides.1);
            steps.push(Step::Assert(Wrong::Overlap.alone(), are_apart));
        }
        is_kept.then_some(())
    }

    /// Whether pointers may lie in so many bytes at an address, by the type of the pointer there, if
    /// what lies there is what that says.
    pub(super) fn holds_pointers(&self, address: &Expr, size: &Expr) -> bool {
        let forms = &self.program.forms;
        let Some(Sum { pointer, bytes, step, .. }) = self.sum(address) else { return true };
        if !self.keeps_its_type(pointer) {
            return true;
        }
        let Some(whole) = forms.of(pointer).filter(|it| forms.size(*it) > 0) else { return true };
        // Things in a row are all alike.
        let form = forms.element(whole);
        let each = forms.size(form).max(1);
        if let Some((from, to, _)) = forms.row(form, bytes, step).filter(|_| step % each != 0) {
            return forms.has_pointers(form, (from, to));
        }
        let part = match size {
            Expr::Constant(size) if step.rem_euclid(each) == 0 => {
                (bytes.rem_euclid(each), bytes.rem_euclid(each) + size)
            }
            _ => WHOLE,
        };
        let is_inside = part.1 <= each;
        forms.has_pointers(form, if is_inside { part } else { WHOLE })
    }
}
