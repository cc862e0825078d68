//! What a function that is analysed by itself (`--entry`) relies on when it hands out memory to
//! functions of which nothing is known.
//!
//! ```text
//!   f has no body, or is called through a pointer that came in
//!   ──────────────────────────────────────────────────────────────────────── KEPT
//!   {Q} x := f(p, &n) {Q with arbitrary x and n}   assuming that f returns, and
//!                                   leaves the memory that it is handed as it is
//! ```
//!
//! A function whose name says that it gives memory up leaves all as it is but the objects that it
//! is handed ([`ir::Gap::Handed`]). The assumption stands in the report. A scalar variable that is
//! handed over by its address is taken to be a second result. Arrays of numbers and pointers to
//! pointers are mostly handed over to be filled, so the assumption is not made of them. No run past
//! such a call refutes anything: it passes a value that is not modelled.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use wane_grammar::c::ast::{Expr as Tree, ExprKind, UnaryOperator};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::convert::Value;
use super::external_calls::Known;
use super::{Lowered, Lowering};
use crate::types::{Integer, Pointee, Type};
use base::source::Span;
use ir::{Command, Expr, Gap, InitialContent, ScalarType, Variable, VariableInfo};

/// An untyped pointer is passed on so often before it has a type.
const MAX_FLOWS: usize = 4;

/// What is relied on, and what was seen of untyped pointers.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// Functions that leave memory as it is.
    functions: BTreeSet<String>,
    /// Functions that may give up what they are handed.
    named_givers: BTreeSet<String>,
    /// Functions that return new memory.
    fresh: BTreeSet<String>,
    /// Functions that are taken for one of the C library's.
    likened: BTreeMap<String, &'static str>,
    /// Whether there are calls through pointers.
    through_pointers: bool,
    /// Those that may give up what they are handed.
    givers: Vec<Span>,
    /// The variables that hold what was handed over.
    holders: Vec<Variable>,
    /// What `void *` variables are cast to first.
    casts: BTreeMap<Variable, Arc<Pointee>>,
    /// What untyped pointers of these declarations become: all have one meaning, or none is
    /// known.
    behind: Vec<(Arc<Pointee>, Option<Arc<Pointee>>)>,
}

impl Kept {
    /// Whether a function is taken to leave the memory that it is handed as it is.
    pub(super) fn relies_on(&self, name: &str) -> bool {
        self.functions.contains(name) || self.named_givers.contains(name)
    }

    /// What is taken for granted, as clauses.
    pub(super) fn assumptions(&self) -> Vec<String> {
        let kept = self.functions.iter().map(|name| {
            format!(
                "`{name}`, which has no body here, returns, changes no variable of the file and \
                 leaves memory as it is, also what it is handed"
            )
        });
        let given = self.named_givers.iter().map(|name| {
            format!(
                "`{name}`, which has no body here, returns, changes no variable of the file and \
                 leaves all memory but the objects that it is handed as it is"
            )
        });
        let fresh = self.fresh.iter().map(|name| {
            format!(
                "`{name}`, which has no body here, returns new memory and does not fail, as an \
                 attribute says"
            )
        });
        let pointers = self.through_pointers.then(|| {
            let but = match self.givers.is_empty() {
                true => "",
                false => ", but for what one is handed whose name says that it gives memory up",
            };
            format!(
                "functions whose addresses come in are there where they are called, return, change no \
                 variable of the file and leave the memory that they are handed as it is{but}"
            )
        });
        let likened = self.likened.iter().map(|(name, known)| {
            format!("`{name}`, which has no body here, does what `{known}` does")
        });
        kept.chain(given).chain(fresh).chain(pointers).chain(likened).collect()
    }

    /// Notes that a function is taken for another one for its name.
    pub(super) fn liken(&mut self, name: &str, known: &'static str) {
        self.likened.insert(name.to_owned(), known);
    }

    /// The calls through pointers that may give up what they are handed.
    pub(super) fn givers(&self) -> Vec<Span> {
        self.givers.clone()
    }

    /// The variables that hold what was handed over.
    pub(super) fn holders(&self) -> Vec<Variable> {
        self.holders.clone()
    }

    /// What an untyped pointer is cast to first.
    pub(super) fn type_behind(&self, variable: Variable) -> Option<&Arc<Pointee>> {
        self.casts.get(&variable)
    }

    /// What a pointer of a declaration points at, if that says `void *` what such pointers
    /// become.
    pub(super) fn typed<'a>(&'a self, declared: &'a Arc<Pointee>) -> &'a Arc<Pointee> {
        let mut found = declared;
        for _ in 0..MAX_FLOWS {
            let next = self.behind.iter().find(|(from, _)| Arc::ptr_eq(from, found));
            match next {
                Some((_, Some(next))) if found.ty == Type::Void => found = next,
                _ => break,
            }
        }
        found
    }

    /// Notes that pointers of one declaration become pointers of another.
    fn note_flow(&mut self, from: &Arc<Pointee>, to: &Arc<Pointee>) {
        match self.behind.iter_mut().find(|(known, _)| Arc::ptr_eq(known, from)) {
            Some((_, known)) => {
                let said = known.as_ref().map(|known| &known.ty);
                match said {
                    Some(Type::Void) => *known = Some(Arc::clone(to)),
                    Some(said) if to.ty != Type::Void && *said != to.ty => *known = None,
                    Some(_) | None => {}
                }
            }
            None => self.behind.push((Arc::clone(from), Some(Arc::clone(to)))),
        }
    }
}

impl Lowering<'_> {
    /// Calls a function without body by rule KEPT; nothing, if that does not apply. It does not
    /// where the function's name says that it gives memory up.
    pub(super) fn call_kept(
        &mut self,
        index: usize,
        call: &Known<'_>,
        trees: &[Tree],
    ) -> Lowered<Option<Value>> {
        let gift = self.declared.functions[index].gift;
        let is_fresh = gift.is_fresh && matches!(call.result, Type::Pointer(_));
        if may_give_up(call.name) {
            return Ok(None);
        }
        let mut outputs = Vec::new();
        for (position, value) in call.values.iter().enumerate() {
            match self.role_of(value, trees.get(position)) {
                Some(Handed::Kept) => {}
                Some(Handed::Output(ty)) => outputs.push((ty, value.expr.clone())),
                None => return Ok(None),
            }
        }
        self.outside.kept.functions.insert(call.name.to_owned());
        self.hold_what_is_handed(call);
        for (ty, address) in outputs {
            self.scramble(&ty, address, call.name, call.place);
        }
        self.approximation(&Type::Int(Integer::Int), call.name, call.place)?;
        if self.declared.functions[index].no_return {
            self.halt(call.place);
        }
        let size = if is_fresh { self.bytes_of_gift(index, call)? } else { None };
        if let Some(size) = size {
            self.outside.kept.fresh.insert(call.name.to_owned());
            return self.allocated(size, InitialContent::Arbitrary, call).map(Some);
        }
        self.approximation(&call.result, call.name, call.place).map(Some)
    }

    /// Calls a function without body that may give up the objects that it is handed, and leaves all
    /// else as it is; whether that can be said. What a pointer to a pointer leads to in the end, or
    /// a function that is handed over does, is not known.
    pub(super) fn hand_over(&mut self, call: &Known<'_>, what: &str) -> bool {
        let is_said = |it: &Value| match &it.ty {
            Type::Pointer(pointee) => {
                it.is_zero() || !matches!(pointee.ty, Type::Pointer(_) | Type::Function(_))
            }
            ty => !matches!(ty, Type::VaList | Type::Record(_)),
        };
        if !may_give_up(call.name) || !call.values.iter().all(is_said) {
            return false;
        }
        self.outside.kept.named_givers.insert(call.name.to_owned());
        for value in &call.values {
            if matches!(value.ty, Type::Pointer(_)) && !value.is_zero() {
                let gap = Gap::Handed(value.expr.clone());
                self.emit(Command::Unsupported { what: what.to_owned(), gap }, call.place);
            }
        }
        true
    }

    /// What an argument is taken for.
    fn role_of(&self, value: &Value, tree: Option<&Tree>) -> Option<Handed> {
        let Type::Pointer(pointee) = &value.ty else {
            return (value.ty != Type::VaList).then_some(Handed::Kept);
        };
        let is_text = tree.is_some_and(|tree| matches!(tree.kind, ExprKind::String(_)));
        let is_kept = pointee.constant
            || value.is_zero()
            || is_text
            || matches!(pointee.ty, Type::Record(_) | Type::Void | Type::Function(_));
        if is_kept {
            return Some(Handed::Kept);
        }
        match tree.map(|tree| &tree.kind) {
            Some(ExprKind::Unary(UnaryOperator::AddressOf, whole))
                if pointee.ty.is_scalar()
                    && matches!(whole.kind, ExprKind::Name(_) | ExprKind::Member(..)) =>
            {
                Some(Handed::Output(pointee.ty.clone()))
            }
            _ => None,
        }
    }

    /// A function that is handed untyped memory may keep it, or free it: it is not lost. The last
    /// one that each call hands over has a holder.
    fn hold_what_is_handed(&mut self, call: &Known<'_>) {
        let is_untyped = |value: &&Value| {
            let pointee = |it: &Arc<Pointee>| it.ty == Type::Void && !it.constant;
            matches!(&value.ty, Type::Pointer(it) if pointee(it)) && !value.is_zero()
        };
        for value in call.values.iter().filter(is_untyped) {
            let name = format!("$handed{}", self.outside.kept.holders.len());
            let (ty, span) = (ScalarType::Pointer, self.span(call.place));
            let target = self.parts.variable(VariableInfo { name, ty, owner: None, span });
            self.outside.kept.holders.push(target);
            let value = value.expr.clone();
            self.emit(Command::Assign { target, value }, call.place);
        }
    }

    /// The bytes of the new memory that a function returns, where they are known.
    fn bytes_of_gift(&mut self, index: usize, call: &Known<'_>) -> Lowered<Option<Expr>> {
        if let Some(position) = self.declared.functions[index].gift.bytes {
            let position = usize::from(position).saturating_sub(1);
            let is_number =
                call.values.get(position).is_some_and(|it| matches!(it.ty, Type::Int(_)));
            return if is_number { self.byte_count(call, position).map(Some) } else { Ok(None) };
        }
        let Type::Pointer(pointee) = &call.result else { return Ok(None) };
        let size = self.types.size(&pointee.ty).filter(|size| *size > 0);
        Ok(size.map(|size| Expr::Constant(i128::from(size))))
    }

    /// Notes that a function is called with these values through a pointer that may have come in.
    pub(super) fn note_call_through_pointer(
        &mut self,
        callee: &Tree,
        values: &[Value],
        place: Place,
    ) {
        if !self.is_open() || self.models.site.is_some() {
            return;
        }
        self.outside.kept.through_pointers = true;
        let gives_up = pointer_name(callee).is_some_and(|name| may_give_up(self.name(name)));
        let is_handed = |it: &Value| matches!(it.ty, Type::Pointer(_)) && !it.is_zero();
        if gives_up && values.iter().any(is_handed) {
            let span = self.span(place);
            self.outside.kept.givers.push(span);
        }
    }

    /// Notes that untyped pointers in a function's type are those of its parameter.
    pub(super) fn note_parameter(&mut self, declared: Option<&Type>, own: &Type) {
        let (mut declared, mut own) = (declared, own);
        while let (Some(Type::Pointer(from)), Type::Pointer(to)) = (declared, own) {
            if to.ty == Type::Void
                && !Arc::ptr_eq(from, to)
                && self.is_open()
                && self.models.site.is_none()
            {
                self.outside.kept.note_flow(from, to);
            }
            (declared, own) = (Some(&from.ty), &to.ty);
        }
    }

    /// Notes what an untyped pointer is cast to.
    pub(super) fn note_cast(&mut self, from: &Arc<Pointee>, value: &Expr, to: &Arc<Pointee>) {
        if from.ty != Type::Void || matches!(to.ty, Type::Function(_)) || !self.is_open() {
            return;
        }
        if self.models.site.is_none() && !Arc::ptr_eq(from, to) {
            self.outside.kept.note_flow(from, to);
        }
        if let Expr::Variable(variable) = value
            && to.ty != Type::Void
        {
            self.outside.kept.casts.entry(*variable).or_insert_with(|| Arc::clone(to));
        }
    }
}

/// What the pointer through which a function is called is named.
fn pointer_name(callee: &Tree) -> Option<Symbol> {
    match &callee.kind {
        ExprKind::Name(name) | ExprKind::Member(_, name) | ExprKind::Arrow(_, name) => Some(*name),
        ExprKind::Unary(UnaryOperator::Dereference, operand) | ExprKind::Index(operand, _) => {
            pointer_name(operand)
        }
        _ => None,
    }
}

/// Whether a name says that a function gives up memory that it is handed, alone or among others:
/// a list with its nodes, one of several references. A name is reason to take less for granted,
/// and never to take more.
pub(super) fn may_give_up(name: &str) -> bool {
    const PARTS: [&str; 12] = [
        "free", "destroy", "destruct", "release", "delete", "dealloc", "dispose", "discard",
        "unref", "reclaim", "cleanup", "teardown",
    ];
    const WORDS: [&str; 26] = [
        "put",
        "close",
        "del",
        "drop",
        "deref",
        "decref",
        "dec",
        "unreference",
        "kill",
        "fini",
        "finish",
        "finalize",
        "deinit",
        "clear",
        "clean",
        "purge",
        "remove",
        "rm",
        "pop",
        "reap",
        "dtor",
        "realloc",
        "resize",
        "shrink",
        "end",
        "term",
    ];
    let words = words_of(name);
    let whole = words.concat();
    PARTS.iter().any(|part| whole.contains(part))
        || words.iter().any(|word| WORDS.contains(&word.as_str()))
}

/// The words of a name, in small letters: `pbuf_free`, `pbufFree` and `PBUF_FREE` have two.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = '_';
    for character in name.chars() {
        let begins = character.is_ascii_uppercase() && before.is_ascii_lowercase();
        if begins || !character.is_ascii_alphabetic() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_ascii_alphabetic()) {
            word.push(character.to_ascii_lowercase());
        }
        before = character;
    }
    words
}

/// What a pointer is handed over for.
enum Handed {
    /// What it points at stays as it is.
    Kept,
    /// It says where a result goes.
    Output(Type),
}
