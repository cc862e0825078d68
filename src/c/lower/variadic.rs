//! Variable arguments.
//!
//! A call of a variadic function puts the arguments behind the named ones into a block
//! of its own and passes the block's address behind them. The block starts with the
//! address of its end; each argument takes a multiple of eight bytes. A `va_list` holds
//! the address of the next argument, and that of the end.

use wane_grammar::c::ast::{Expr as Tree, TypeName};
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::convert::Value;
use super::{Lowered, Lowering, fold};
use crate::DataModel;
use crate::types::Type;
use ir::{BinaryOp, Command, Expr, ScalarType, Terminator, Variable};

/// Bytes of the smallest argument.
const SLOT: u64 = 8;

impl<'a> Lowering<'a> {
    /// Whether a `va_list` has room for two addresses.
    fn has_lists(&self) -> bool {
        self.types.model == DataModel::Lp64
    }

    /// The parameter for the block of a variadic function that is lowered.
    pub(super) fn variadic_parameter(&mut self, place: Place) {
        let span = self.span(place);
        let procedure = self.body.procedure;
        let variable = self.parts.address("$variadic", Some(procedure), span);
        self.parts.procedures[procedure.index()].parameters.push(variable);
        self.body.variadic = Some(variable);
    }

    /// A block with the arguments behind the named ones.
    pub(super) fn variadic_block(&mut self, values: Vec<Value>, place: Place) -> Lowered<Expr> {
        let slots: Vec<u64> = values.iter().map(|value| self.slot(&value.ty)).collect();
        let size = SLOT + slots.iter().sum::<u64>();
        let block = self.temporary(ScalarType::Pointer, place);
        self.body.own(block, size);
        let end = fold::binary(BinaryOp::Add, block.into(), i128::from(size).into());
        self.store_address(block.into(), end, place);
        let mut offset = SLOT;
        for (value, slot) in values.into_iter().zip(slots) {
            let address = fold::binary(BinaryOp::Add, block.into(), i128::from(offset).into());
            let target = Lvalue { ty: value.ty.clone(), site: Site::Memory(address) };
            if value.ty != Type::Void && value.ty != Type::VaList {
                self.store(&target, value, place)?;
            }
            offset += slot;
        }
        Ok(block.into())
    }

    fn slot(&self, ty: &Type) -> u64 {
        self.types.size(ty).unwrap_or(SLOT).max(1).div_ceil(SLOT) * SLOT
    }

    fn store_address(&mut self, address: Expr, value: Expr, place: Place) {
        self.emit(Command::Store { address, value, ty: ScalarType::Pointer }, place);
    }

    fn load_address(&mut self, address: Expr, place: Place) -> Variable {
        let target = self.temporary(ScalarType::Pointer, place);
        self.emit(Command::Load { target, address, ty: ScalarType::Pointer }, place);
        target
    }

    /// The address of the end, behind that of the next argument.
    fn end_of_list(list: &Expr) -> Expr {
        fold::binary(BinaryOp::Add, list.clone(), i128::from(SLOT).into())
    }

    /// `va_start` and `va_copy`, where they are modelled.
    pub(super) fn call_variadic(
        &mut self,
        name: &str,
        values: &[Value],
        place: Place,
    ) -> Option<Value> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let (list, others) = values.split_first().filter(|_| self.has_lists())?;
        match name {
            "va_start" | "c23_va_start" => {
                let Some(block) = self.body.variadic else {
                    self.unsupported("`va_start` in a function without variable arguments", place);
                    return Some(Value::void());
                };
                let end = self.load_address(block.into(), place);
                let next = fold::binary(BinaryOp::Add, block.into(), i128::from(SLOT).into());
                self.store_address(list.expr.clone(), next, place);
                self.store_address(Self::end_of_list(&list.expr), end.into(), place);
                Some(Value::void())
            }
            "va_copy" => {
                let from = others.first()?.expr.clone();
                let next = self.load_address(from.clone(), place);
                let end = self.load_address(Self::end_of_list(&from), place);
                self.store_address(list.expr.clone(), next.into(), place);
                self.store_address(Self::end_of_list(&list.expr), end.into(), place);
                Some(Value::void())
            }
            _ => None,
        }
    }

    /// `va_arg(list, type)`. What lies behind the last argument is not modelled.
    pub(super) fn next_argument(
        &mut self,
        list: &'a Tree,
        ty: &'a TypeName,
        place: Place,
    ) -> Lowered<Value> {
        let list = self.rvalue(list)?.expr;
        let ty = self.type_name(ty)?;
        let is_wide = self.types.alignment(&ty) > SLOT;
        if !self.has_lists() || is_wide || ty == Type::Void || self.types.size(&ty).is_none() {
            return self.approximation(&ty, "variable argument", place);
        }
        let next = self.load_address(list.clone(), place);
        let end = self.load_address(Self::end_of_list(&list), place);
        let slot = i128::from(self.slot(&ty));
        let behind = fold::binary(BinaryOp::Add, next.into(), slot.into());
        let span = self.span(place);
        let (good, bad) = (self.body.block(span), self.body.block(span));
        let fits = fold::binary(BinaryOp::LessEqual, behind.clone(), end.into());
        self.branch_on(fits, good, bad, place);
        self.body.current = bad;
        let what = "variable argument behind the last one";
        if self.is_open() {
            // Callers of which nothing is known may have passed it.
            self.clobber(what, place);
            self.body.terminate(Terminator::Goto(good), span);
        } else {
            self.unsupported(what, place);
            self.body.terminate(Terminator::Halt, span);
        }
        self.body.current = good;
        let value = self.load(Lvalue { ty, site: Site::Memory(next.into()) }, place)?;
        self.store_address(list, behind, place);
        Ok(value)
    }
}
