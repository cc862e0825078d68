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
//! The assumption stands in the report. A scalar variable that is handed over by its address is
//! taken to be a second result. Arrays of numbers and pointers to pointers are mostly handed over
//! to be filled, so the assumption is not made of them. No run past such a call refutes anything:
//! it passes a value that is not modelled.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use wane_grammar::c::ast::{Expr as Tree, ExprKind, UnaryOperator};
use wane_grammar::c::name::Symbol;

use super::convert::Value;
use super::known::Known;
use super::{Lowered, Lowering, fold};
use crate::c::MallocModel;
use crate::c::types::{Integer, Pointee, Type};
use crate::ir::open::GiftCall;
use crate::ir::{
    BinaryOp, Callee, Command, Expr, InitialContent, ScalarType, Variable, VariableInfo,
};

/// An untyped pointer is passed on so often before it has a type.
const MAX_FLOWS: usize = 4;

/// What is relied on, and what was seen of untyped pointers.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Functions that leave memory as it is.
    functions: BTreeSet<String>,
    /// Functions that return new memory.
    fresh: BTreeSet<String>,
    /// Whether there are calls through pointers.
    through_pointers: bool,
    /// The calls through pointers that are taken to return new memory, and how these pointers are
    /// named.
    gifts: Vec<GiftCall>,
    gift_names: BTreeSet<String>,
    /// How many variables hold what was handed over.
    n_holders: usize,
    /// What `void *` variables are cast to first.
    casts: BTreeMap<Variable, Rc<Pointee>>,
    /// What untyped pointers of these declarations become: all have one meaning, or none is
    /// known.
    behind: Vec<(Rc<Pointee>, Option<Rc<Pointee>>)>,
}

impl Kept {
    /// Whether a function is taken to leave the memory that it is handed as it is.
    pub(super) fn relies_on(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    /// What is taken for granted, as clauses.
    pub(super) fn assumptions(&self) -> Vec<String> {
        let kept = self.functions.iter().map(|name| {
            format!(
                "`{name}`, which has no body here, returns, changes no variable of the file and \
                 leaves the memory that it is handed as it is"
            )
        });
        let fresh = self.fresh.iter().map(|name| {
            format!("`{name}`, which has no body here, returns new memory and does not fail, as its name or \
                 an attribute says")
        });
        let pointers = self.through_pointers.then(|| {
            "functions whose addresses come in are there where they are called, return, change no \
             variable of the file and leave the memory that they are handed as it is"
                .to_owned()
        });
        let gifts = self.gift_names.iter().map(|name| {
            format!("functions that are called through `{name}` return new memory and do not fail, as the name \
                 says")
        });
        kept.chain(fresh).chain(pointers).chain(gifts).collect()
    }

    /// Whether a variable is the result of a call that is taken to return new memory. It is that
    /// of no other command.
    pub(super) fn is_gift(&self, variable: Variable) -> bool {
        self.gifts.iter().any(|gift| gift.target == variable)
    }

    /// What an untyped pointer is cast to first.
    pub(super) fn type_behind(&self, variable: Variable) -> Option<&Rc<Pointee>> {
        self.casts.get(&variable)
    }

    /// What a pointer of a declaration points at, if that says `void *` what such pointers
    /// become.
    pub(super) fn typed<'a>(&'a self, declared: &'a Rc<Pointee>) -> &'a Rc<Pointee> {
        let mut found = declared;
        for _ in 0..MAX_FLOWS {
            let next = self.behind.iter().find(|(from, _)| Rc::ptr_eq(from, found));
            match next {
                Some((_, Some(next))) if found.ty == Type::Void => found = next,
                _ => break,
            }
        }
        found
    }

    /// Notes that pointers of one declaration become pointers of another.
    fn note_flow(&mut self, from: &Rc<Pointee>, to: &Rc<Pointee>) {
        match self.behind.iter_mut().find(|(known, _)| Rc::ptr_eq(known, from)) {
            Some((_, known)) => {
                let said = known.as_ref().map(|known| &known.ty);
                match said {
                    Some(Type::Void) => *known = Some(Rc::clone(to)),
                    Some(said) if to.ty != Type::Void && *said != to.ty => *known = None,
                    Some(_) | None => {}
                }
            }
            None => self.behind.push((Rc::clone(from), Some(Rc::clone(to)))),
        }
    }
}

impl Lowering<'_> {
    /// Calls a function without body by rule KEPT; nothing, if that does not apply.
    pub(super) fn call_kept(
        &mut self,
        index: usize,
        call: Known<'_>,
        trees: &[Tree],
    ) -> Lowered<Option<Value>> {
        let gift = self.functions[index].gift;
        let is_fresh = gift.is_fresh && matches!(call.result, Type::Pointer(_));
        let mut outputs = Vec::new();
        for (position, value) in call.values.iter().enumerate() {
            match self.role_of(value, trees.get(position)) {
                Some(Handed::Kept) => {}
                Some(Handed::Output(ty)) => outputs.push((ty, value.expr.clone())),
                None => return Ok(None),
            }
        }
        self.kept.functions.insert(call.name.to_owned());
        self.hold_what_is_handed(&call);
        for (ty, address) in outputs {
            self.scramble(&ty, address, call.name, call.place);
        }
        self.approximation(&Type::Int(Integer::Int), call.name, call.place)?;
        if self.functions[index].no_return {
            self.halt(call.place);
        }
        let size = match is_fresh {
            true => self.bytes_of_gift(index, &call)?,
            false => self.bytes_by_name(&call)?,
        };
        if let Some(size) = size {
            self.kept.fresh.insert(call.name.to_owned());
            return self.allocated(size, InitialContent::Arbitrary, &call).map(Some);
        }
        self.approximation(&call.result, call.name, call.place).map(Some)
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
            let pointee = |it: &Rc<Pointee>| it.ty == Type::Void && !it.constant;
            matches!(&value.ty, Type::Pointer(it) if pointee(it)) && !value.is_zero()
        };
        for value in call.values.iter().filter(is_untyped) {
            let name = format!("$handed{}", self.kept.n_holders);
            self.kept.n_holders += 1;
            let (ty, span) = (ScalarType::Pointer, self.span(call.place));
            let target = self.parts.variable(VariableInfo { name, ty, owner: None, span });
            let value = value.expr.clone();
            self.emit(Command::Assign { target, value }, call.place);
        }
    }

    /// The bytes of the new memory that a function returns, where they are known.
    fn bytes_of_gift(&mut self, index: usize, call: &Known<'_>) -> Lowered<Option<Expr>> {
        if let Some(position) = self.functions[index].gift.bytes {
            let position = usize::from(position).saturating_sub(1);
            let is_number =
                call.values.get(position).is_some_and(|it| matches!(it.ty, Type::Int(_)));
            return if is_number { self.byte_count(call, position).map(Some) } else { Ok(None) };
        }
        let Type::Pointer(pointee) = &call.result else { return Ok(None) };
        let size = self.types.size(&pointee.ty).filter(|size| *size > 0);
        Ok(size.map(|size| Expr::Constant(i128::from(size))))
    }

    /// The same of a function that is named like `malloc` or `calloc`, and returns `void *`.
    fn bytes_by_name(&mut self, call: &Known<'_>) -> Lowered<Option<Expr>> {
        let is_untyped = matches!(&call.result, Type::Pointer(it) if it.ty == Type::Void);
        if !is_untyped || !may_be_gift(call.name) {
            return Ok(None);
        }
        let values = call.values.iter().enumerate();
        let numbers = values.filter(|(_, value)| matches!(value.ty, Type::Int(_)));
        let numbers: Vec<usize> = numbers.map(|(position, _)| position).collect();
        match numbers.as_slice() {
            [size] => self.byte_count(call, *size).map(Some),
            [count, size] if call.name.contains("calloc") => {
                let count = self.byte_count(call, *count)?;
                let size = self.byte_count(call, *size)?;
                Ok(Some(fold::binary(BinaryOp::Multiply, count, size)))
            }
            _ => Ok(None),
        }
    }

    /// Notes that a function is called through a pointer that may have come in.
    pub(super) fn note_call_through_pointer(&mut self) {
        self.kept.through_pointers |= self.is_open() && self.model.is_none();
    }

    /// Notes that a call through a pointer with this name is one of an allocator, if it looks so:
    /// it returns untyped memory, and one number, or two for `calloc`, can be the size.
    pub(super) fn note_gift(&mut self, callee: &Tree, result: &Value, values: &[Type]) {
        let name = pointer_name(callee).map(|name| self.name(name).to_owned());
        let is_untyped = matches!(&result.ty, Type::Pointer(it) if it.ty == Type::Void);
        let (Some(name), Expr::Variable(target)) = (name, &result.expr) else { return };
        let is_fine = self.is_open()
            && self.model.is_none()
            && self.options.malloc == MallocModel::Succeeds
            && is_untyped
            && may_be_gift(&name);
        let numbers = values.iter().enumerate().filter(|(_, ty)| matches!(ty, Type::Int(_)));
        let factors: Vec<usize> = numbers.map(|(position, _)| position).collect();
        let n_factors = if name.contains("calloc") { 2 } else { 1 };
        if is_fine && factors.len() == n_factors {
            self.kept.gifts.push(GiftCall { target: *target, factors });
            self.kept.gift_names.insert(name);
        }
    }

    /// The calls through pointers that are taken to return new memory: those that are the only
    /// command with their target.
    pub(super) fn gifts(&self) -> Vec<GiftCall> {
        let blocks = self.parts.procedures.iter().flat_map(|procedure| &procedure.blocks);
        let commands = blocks.flat_map(|block| &block.commands).map(|it| &it.command);
        let commands: Vec<&Command> =
            commands.filter(|it| it.target().is_some_and(|it| self.kept.is_gift(it))).collect();
        let is_call = |command: &Command| {
            matches!(command, Command::Call { callee: Callee::Indirect(_), .. })
        };
        let is_alone = |gift: &&GiftCall| {
            let mut own = commands.iter().filter(|it| it.target() == Some(gift.target));
            own.next().is_some_and(|it| is_call(it)) && own.next().is_none()
        };
        self.kept.gifts.iter().filter(is_alone).cloned().collect()
    }

    /// Notes that untyped pointers in a function's type are those of its parameter.
    pub(super) fn note_parameter(&mut self, declared: Option<&Type>, own: &Type) {
        let (mut declared, mut own) = (declared, own);
        while let (Some(Type::Pointer(from)), Type::Pointer(to)) = (declared, own) {
            if to.ty == Type::Void
                && !Rc::ptr_eq(from, to)
                && self.is_open()
                && self.model.is_none()
            {
                self.kept.note_flow(from, to);
            }
            (declared, own) = (Some(&from.ty), &to.ty);
        }
    }

    /// Notes what an untyped pointer is cast to.
    pub(super) fn note_cast(&mut self, from: &Rc<Pointee>, value: &Expr, to: &Rc<Pointee>) {
        if from.ty != Type::Void || matches!(to.ty, Type::Function(_)) || !self.is_open() {
            return;
        }
        if self.model.is_none() && !Rc::ptr_eq(from, to) {
            self.kept.note_flow(from, to);
        }
        if let Expr::Variable(variable) = value
            && to.ty != Type::Void
        {
            self.kept.casts.entry(*variable).or_insert_with(|| Rc::clone(to));
        }
    }
}

/// What the pointer through which a function is called is named.
fn pointer_name(callee: &Tree) -> Option<Symbol> {
    match &callee.kind {
        ExprKind::Name(name) | ExprKind::Member(_, name) | ExprKind::Arrow(_, name) => Some(*name),
        ExprKind::Unary(UnaryOperator::Dereference, operand) => pointer_name(operand),
        _ => None,
    }
}

/// Whether a function may return new memory, by its name.
pub(super) fn may_be_gift(name: &str) -> bool {
    name.contains("alloc") && !name.contains("realloc")
}

/// What a pointer is handed over for.
enum Handed {
    /// What it points at stays as it is.
    Kept,
    /// It says where a result goes.
    Output(Type),
}
