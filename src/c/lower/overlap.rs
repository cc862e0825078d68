//! Whether places that nothing orders are one.
//!
//! `*p + (*q)++` is undefined where `p` and `q` point at one object, and means what it says where
//! they do not. So the addresses are compared before the operands are evaluated (C11 6.5p2):
//!
//! ```text
//!                  &w = &u  ∨ … (their bytes overlap)
//!   w++ … u   ⟶   ──────────────────────────────────── undefined
//! ```
//!
//! `p++` in an address stands for the value of `p` before, and `++p` for that behind it.

use wane_grammar::c::ast::{BinaryOperator, Expr as Tree, ExprKind, UnaryOperator};
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::convert::Value;
use super::effects::{Collision, does_something};
use super::unsequenced::Root;
use super::{Lowered, Lowering, fold};
use crate::types::{Integer, Type};
use ir::{BinaryOp, Command, Expr, HavocSource, IntKind, ScalarType, Terminator};

/// More pairs of places of two operands are not compared.
const MOST_PAIRS: usize = 4;

/// Objects of more bytes are not compared with their parts.
const MOST_BYTES: u64 = 16;

/// A place that an expression reads or changes by itself.
#[derive(Clone, Copy)]
pub(super) struct Use<'a> {
    pub(super) tree: &'a Tree,
    pub(super) is_change: bool,
    /// Whether an operator decides if its operand is evaluated, with the use.
    pub(super) is_optional: bool,
}

impl<'a> Lowering<'a> {
    /// What comes here is undefined where a place that the one part changes is one that the other
    /// part uses. If none is, the order of the parts does not matter.
    pub(super) fn must_be_apart(
        &mut self,
        first: Option<Vec<Use<'a>>>,
        second: Option<Vec<Use<'a>>>,
        what: &str,
        place: Place,
    ) -> Lowered<()> {
        let pairs = first.zip(second).map(|(first, second)| self.meeting(&first, &second));
        let Some(pairs) = pairs.filter(|it| it.len() <= MOST_PAIRS) else {
            self.may_be_one(what, place);
            return Ok(());
        };
        for (one, other) in pairs {
            let both = match self.can_be_found(one) && self.can_be_found(other) {
                true => (self.lvalue_before(one.tree)?, self.lvalue_before(other.tree)?),
                false => (None, None),
            };
            let is_optional = one.is_optional || other.is_optional;
            // An array is a mere address.
            let is_array = |it: &Lvalue| matches!(it.ty, Type::Array(_));
            let overlap = match both {
                (Some(one), _) | (_, Some(one)) if is_array(&one) => continue,
                (Some(one), Some(other)) => self.overlap(&one, &other),
                _ => None,
            };
            match overlap {
                Some(conditions) => {
                    for condition in conditions {
                        let mut all = vec![condition];
                        all.extend(is_optional.then(|| self.unknown(place)));
                        self.undefined_if_all(all, what, place);
                    }
                }
                None => self.may_be_one(what, place),
            }
        }
        Ok(())
    }

    /// Whether the address of a place can be found before all else: other threads notice nothing,
    /// and what finds it goes well even if the program does not come to it.
    fn can_be_found(&self, it: Use<'a>) -> bool {
        let parts = Self::parts_of_place(it.tree);
        let is_unseen =
            !self.minds_others() || parts.iter().all(|part| self.root_of(part) == Root::NoAccess);
        is_unseen && (!it.is_optional || parts.is_empty())
    }

    /// The pairs of places that may be one, of which one is changed.
    fn meeting(&self, first: &[Use<'a>], second: &[Use<'a>]) -> Vec<(Use<'a>, Use<'a>)> {
        let pairs = first.iter().flat_map(|one| second.iter().map(move |other| (one, other)));
        let pairs = pairs.filter(|(one, other)| {
            let both = self.cell_of_place(one.tree).zip(self.cell_of_place(other.tree));
            let collision = both.and_then(|(one, other)| one.collides_with(other));
            (one.is_change || other.is_change) && collision == Some(Collision::OfPlaces)
        });
        pairs.map(|(one, other)| (*one, *other)).collect()
    }

    /// The places that an expression reads or changes by itself; nothing if it has statements.
    pub(super) fn uses(&self, tree: &'a Tree) -> Option<Vec<Use<'a>>> {
        let mut uses = Vec::new();
        self.add_uses(tree, &mut uses).then_some(uses)
    }

    fn add_uses(&self, tree: &'a Tree, uses: &mut Vec<Use<'a>>) -> bool {
        if self.settled(tree).is_some() {
            return true;
        }
        let mut add = |tree, is_change| uses.push(Use { tree, is_change, is_optional: false });
        let parts: Vec<&Tree> = match &tree.kind {
            ExprKind::Name(_)
            | ExprKind::Index(..)
            | ExprKind::Arrow(..)
            | ExprKind::Member(..)
            | ExprKind::Unary(UnaryOperator::Dereference, _) => {
                add(tree, false);
                Self::parts_of_place(tree)
            }
            ExprKind::Unary(
                UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                | UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement,
                target,
            ) => {
                add(target, true);
                Self::parts_of_place(target)
            }
            ExprKind::Assign(_, left, right) => {
                add(left, true);
                let mut parts = Self::parts_of_place(left);
                parts.push(right);
                parts
            }
            ExprKind::Unary(UnaryOperator::AddressOf, inner) => Self::parts_of_place(inner),
            ExprKind::Statements(_) => return false,
            ExprKind::Binary(BinaryOperator::And | BinaryOperator::Or, ..)
            | ExprKind::Conditional(..) => {
                let before = uses.len();
                let is_all = tree.parts().into_iter().all(|part| self.add_uses(part, uses));
                uses[before..].iter_mut().for_each(|it| it.is_optional = true);
                return is_all;
            }
            ExprKind::VaArg(list, _) => {
                add(list, true);
                Self::parts_of_place(list)
            }
            _ => tree.parts(),
        };
        parts.into_iter().all(|part| std::ptr::eq(part, tree) || self.add_uses(part, uses))
    }

    /// What a place designates when the operands have not been evaluated; nothing if that is not
    /// found without evaluating one.
    fn lvalue_before(&mut self, tree: &'a Tree) -> Lowered<Option<Lvalue>> {
        if !does_something(tree) {
            return self.lvalue(tree).map(Some);
        }
        let pointer = match &tree.kind {
            ExprKind::Unary(UnaryOperator::Dereference, pointer) => self.value_before(pointer)?,
            ExprKind::Index(array, index) => {
                match (self.value_before(array)?, self.value_before(index)?) {
                    (Some(array), Some(index)) => Some(self.add(array, index, tree.place)?),
                    _ => None,
                }
            }
            _ => None,
        };
        pointer.map(|pointer| self.dereference(pointer, tree.place)).transpose()
    }

    fn value_before(&mut self, tree: &'a Tree) -> Lowered<Option<Value>> {
        if !does_something(tree) {
            return self.rvalue(tree).map(Some);
        }
        let one = Value::new(Type::Int(Integer::Int), 1);
        match &tree.kind {
            ExprKind::Unary(
                operator @ (UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement
                | UnaryOperator::PreIncrement),
                target,
            ) if !does_something(target) => {
                let old = self.rvalue(target)?;
                let is_old = *operator != UnaryOperator::PreIncrement;
                Ok(Some(if is_old { old } else { self.add(old, one, tree.place)? }))
            }
            _ if Self::is_lvalue(tree) => {
                let found = self.lvalue_before(tree)?;
                found.map(|it| self.load(it, tree.place)).transpose()
            }
            _ => Ok(None),
        }
    }

    /// When the bytes of two places overlap: if one of these holds. Nothing if that is not said so.
    /// A number lies at a multiple of its size, so a smaller one is in one of a larger one's parts.
    fn overlap(&self, one: &Lvalue, other: &Lvalue) -> Option<Vec<Expr>> {
        let address = |it: &Lvalue| match &it.site {
            Site::Memory(address) | Site::Member(address, _) => Some(address.clone()),
            _ => None,
        };
        let size = |it: &Lvalue| self.types.size(&it.ty).filter(|it| *it > 0);
        let (first, second) = (address(one)?, address(other)?);
        let (large, small) = (size(one)?, size(other)?);
        let (first, second, large, small) = match large < small {
            true => (second, first, small, large),
            false => (first, second, large, small),
        };
        if large != small && large > MOST_BYTES || large % small != 0 {
            return None;
        }
        let is_part = |part: u64| {
            let offset = Expr::Constant(i128::from(part * small));
            let start = fold::binary(BinaryOp::Add, first.clone(), offset);
            fold::binary(BinaryOp::Equal, start, second.clone())
        };
        Some((0..large / small).map(is_part).collect())
    }

    /// What comes here may be undefined, as objects may be the same. No run is taken for evidence of
    /// either.
    fn may_be_one(&mut self, what: &str, place: Place) {
        let is_one = self.unknown(place);
        self.undefined_if_all(vec![is_one], what, place);
    }

    /// What may hold or not; no run that rests on it is taken for evidence.
    fn unknown(&mut self, place: Place) -> Expr {
        let ty = ScalarType::Int(IntKind { bits: 8, signed: false });
        let target = self.temporary(ty, place);
        let source = HavocSource::Approximation("whether objects are the same".to_owned());
        self.emit(Command::Havoc { target, source }, place);
        target.into()
    }

    fn undefined_if_all(&mut self, conditions: Vec<Expr>, what: &str, place: Place) {
        let span = self.span(place);
        let defined = self.body.block(span);
        for condition in conditions {
            let next = self.body.block(span);
            self.branch_on(condition, next, defined, place);
            self.body.current = next;
        }
        self.undefined(what, place);
        self.body.terminate(Terminator::Halt, span);
        self.body.current = defined;
    }
}
