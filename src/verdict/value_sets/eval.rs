//! What expressions may be in the states of a box, and what conditions say of variables.

use super::Escape;
use super::boxes::Box;
use super::memory::Possible;
use super::strided::Strided;
use concrete::memory::MemoryBlockId;
use concrete::value::{EDGE, Value};
use ir::Variable;
use ir::expr::{BinaryOp, Expr, IntKind, UnaryOp};
use ir::semantics::address_kind;
use std::collections::BTreeMap;

/// An address, or several.
type Places = BTreeMap<MemoryBlockId, Strided>;

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// It is not zero.
    Holds,
    /// It is zero.
    Fails,
}

impl Truth {
    fn other(self) -> Self {
        match self {
            Self::Holds => Self::Fails,
            Self::Fails => Self::Holds,
        }
    }
}

impl Box {
    /// What an expression may be.
    pub(super) fn eval(&self, expr: &Expr, pointer_bytes: u32) -> Result<Possible, Escape> {
        match expr {
            Expr::Constant(number) => Ok(Possible::of(Value::Int(*number))),
            Expr::Variable(variable) => Ok(self.value(*variable).clone()),
            Expr::Procedure(procedure) => Ok(Possible::Procedure(*procedure)),
            Expr::Unary(op, operand) => {
                let operand = self.eval(operand, pointer_bytes)?;
                self.unary(*op, &operand)
            }
            Expr::Binary(op, left, right) => {
                let left = self.eval(left, pointer_bytes)?;
                let right = self.eval(right, pointer_bytes)?;
                self.binary(*op, &left, &right)
            }
            Expr::Wrap(kind, operand) => {
                let operand = self.eval(operand, pointer_bytes)?;
                self.wrap(*kind, operand, pointer_bytes)
            }
        }
    }

    /// What a condition may be: false, true, or either.
    pub(super) fn truth(
        &self,
        condition: &Expr,
        pointer_bytes: u32,
    ) -> Result<Option<bool>, Escape> {
        match self.eval(condition, pointer_bytes)? {
            Possible::Number(number) if !number.has(0) => Ok(Some(true)),
            Possible::Number(number) => Ok(number.only().map(|it| it != 0)),
            Possible::Address(places) => self.all_near(&places).map(|()| Some(true)),
            Possible::Procedure(_) => Ok(Some(true)),
            Possible::Any => Err(Escape("a condition on what is not known")),
        }
    }

    fn unary(&self, op: UnaryOp, operand: &Possible) -> Result<Possible, Escape> {
        match (op, operand) {
            (_, Possible::Number(number)) => number_or_escape(number.unary(op)),
            (UnaryOp::Not, Possible::Address(places)) => {
                self.all_near(places)?;
                Ok(Possible::of(Value::Int(0)))
            }
            (UnaryOp::Not, Possible::Procedure(_)) => Ok(Possible::of(Value::Int(0))),
            _ => Err(Escape("arithmetic on an address")),
        }
    }

    fn wrap(
        &self,
        kind: IntKind,
        operand: Possible,
        pointer_bytes: u32,
    ) -> Result<Possible, Escape> {
        match operand {
            Possible::Number(number) => number_or_escape(number.wrap(kind)),
            Possible::Address(places) if kind.bits == 64 && pointer_bytes == 8 => {
                self.all_near(&places)?;
                Ok(Possible::Address(places))
            }
            Possible::Address(places) if kind == address_kind(pointer_bytes) => {
                self.all_near(&places)?;
                Ok(Possible::Address(places))
            }
            Possible::Address(_) | Possible::Procedure(_) | Possible::Any => {
                Err(Escape("an address in another type"))
            }
        }
    }

    fn binary(&self, op: BinaryOp, left: &Possible, right: &Possible) -> Result<Possible, Escape> {
        match (op, left, right) {
            (_, Possible::Number(left), Possible::Number(right)) => {
                number_or_escape(Strided::binary(op, *left, *right))
            }
            (
                BinaryOp::Add | BinaryOp::Subtract,
                Possible::Address(places),
                Possible::Number(by),
            ) => moved(places, |offset| Strided::binary(op, offset, *by)),
            (BinaryOp::Add, Possible::Number(by), Possible::Address(places)) => {
                moved(places, |offset| Strided::binary(op, offset, *by))
            }
            (_, Possible::Address(left), Possible::Address(right)) => {
                self.on_addresses(op, left, right)
            }
            (_, Possible::Address(places), Possible::Number(number))
            | (_, Possible::Number(number), Possible::Address(places))
                if number.only() == Some(0) =>
            {
                self.all_near(places)?;
                unequal(op)
            }
            (_, Possible::Procedure(_), Possible::Number(number))
            | (_, Possible::Number(number), Possible::Procedure(_))
                if number.only() == Some(0) =>
            {
                unequal(op)
            }
            _ => Err(Escape("arithmetic on an address")),
        }
    }

    fn on_addresses(
        &self,
        op: BinaryOp,
        left: &Places,
        right: &Places,
    ) -> Result<Possible, Escape> {
        self.all_near(left)?;
        self.all_near(right)?;
        if let ([(one, from)], [(other, to)]) = (pairs(left).as_slice(), pairs(right).as_slice())
            && one == other
            && (op.is_comparison() || op == BinaryOp::Subtract)
        {
            return number_or_escape(Strided::binary(op, *from, *to));
        }
        // Whether they are equal is known where one is inside of its block, as the other is.
        let inside = |places: &Places| {
            places
                .iter()
                .all(|(id, offset)| self.block(*id).is_ok_and(|block| block.contains(*offset, 1)))
        };
        if !inside(left) || !inside(right) {
            return Err(Escape("addresses outside of their blocks"));
        }
        let may_meet = left.iter().any(|(id, offset)| {
            right.get(id).is_some_and(|other| {
                Strided::binary(BinaryOp::Equal, *offset, *other).and_then(Strided::only) != Some(0)
            })
        });
        match op {
            BinaryOp::Equal | BinaryOp::NotEqual if may_meet => {
                number_or_escape(Strided::between(0, 1))
            }
            _ => unequal(op),
        }
    }

    /// That addresses lie close to blocks that exist.
    fn all_near(&self, places: &Places) -> Result<(), Escape> {
        for (id, offset) in places {
            let size = self.block(*id)?.size;
            if offset.least() <= -EDGE / 2 || offset.greatest() >= size + EDGE / 2 {
                return Err(Escape("an address far from its block"));
            }
        }
        Ok(())
    }

    /// The states in which a condition holds, or does not, as far as it says something of
    /// variables; nothing if there are none.
    pub(super) fn assuming(
        mut self,
        condition: &Expr,
        truth: Truth,
        pointer_bytes: u32,
    ) -> Option<Self> {
        match condition {
            Expr::Unary(UnaryOp::Not, inner) => {
                return self.assuming(inner, truth.other(), pointer_bytes);
            }
            Expr::Binary(op, left, right) if op.is_comparison() => {
                let op = match truth {
                    Truth::Holds => Some(*op),
                    Truth::Fails => op.negated(),
                };
                let mirrored = op.and_then(BinaryOp::mirrored);
                let (Some(op), Some(mirrored)) = (op, mirrored) else { return Some(self) };
                let numbers = |it: &Self, expr: &Expr| match it.eval(expr, pointer_bytes) {
                    Ok(Possible::Number(number)) => Some(number),
                    _ => None,
                };
                let (Some(one), Some(other)) = (numbers(&self, left), numbers(&self, right)) else {
                    return Some(self);
                };
                if let Some(variable) = self.plain(left) {
                    self.narrow(variable, one, op, other)?;
                }
                if let Some(variable) = self.plain(right) {
                    self.narrow(variable, other, mirrored, one)?;
                }
            }
            Expr::Variable(variable) => {
                if let Possible::Number(number) = *self.value(*variable) {
                    let op = match truth {
                        Truth::Holds => BinaryOp::NotEqual,
                        Truth::Fails => BinaryOp::Equal,
                    };
                    self.narrow(*variable, number, op, Strided::of(0)?)?;
                }
            }
            _ => {}
        }
        Some(self)
    }

    fn narrow(
        &mut self,
        variable: Variable,
        number: Strided,
        op: BinaryOp,
        other: Strided,
    ) -> Option<()> {
        let known = match op {
            BinaryOp::Less => number.at_most(other.greatest() - 1)?,
            BinaryOp::LessEqual => number.at_most(other.greatest())?,
            BinaryOp::Greater => number.at_least(other.least() + 1)?,
            BinaryOp::GreaterEqual => number.at_least(other.least())?,
            BinaryOp::Equal => number.at_least(other.least())?.at_most(other.greatest())?,
            BinaryOp::NotEqual => match other.only() {
                Some(other) => number.without(other)?,
                None => number,
            },
            _ => number,
        };
        // What was chosen remains open only if just these numbers fit.
        let is_exact = match (op, other.only()) {
            (_, None) => false,
            (BinaryOp::NotEqual, Some(other)) => !known.has(other),
            (BinaryOp::Equal, Some(other)) => known.only() == Some(other),
            (_, Some(_)) => true,
        };
        if !is_exact {
            self.open.remove(&variable);
        }
        self.refine(variable, known);
        Some(())
    }

    /// The variable that an expression is, perhaps reduced to a range that its numbers are in.
    fn plain(&self, expr: &Expr) -> Option<Variable> {
        match expr {
            Expr::Variable(variable) => Some(*variable),
            Expr::Wrap(kind, inner) => {
                let (kind, variable) = (*kind, self.plain(inner)?);
                let Possible::Number(number) = *self.value(variable) else { return None };
                let is_kept = kind.min() <= number.least() && number.greatest() <= kind.max();
                is_kept.then_some(variable)
            }
            _ => None,
        }
    }

    /// Whether a condition speaks of one choice that is open, and of nothing else that is not
    /// known: then that may have been chosen so that it holds.
    pub(super) fn speaks_of_open(&self, condition: &Expr) -> Option<Variable> {
        let Expr::Binary(op, left, right) = condition else { return None };
        let is_constant = |expr: &Expr| matches!(expr, Expr::Constant(_));
        let variable = match (is_constant(left), is_constant(right)) {
            (true, false) => self.plain(right)?,
            (false, true) => self.plain(left)?,
            _ => return None,
        };
        (op.is_comparison() && self.open.contains(&variable)).then_some(variable)
    }
}

fn number_or_escape(number: Option<Strided>) -> Result<Possible, Escape> {
    number.map(Possible::Number).ok_or(Escape("a number that may not exist"))
}

fn moved(places: &Places, by: impl Fn(Strided) -> Option<Strided>) -> Result<Possible, Escape> {
    let moved = places.iter().map(|(id, offset)| Some((*id, by(*offset)?)));
    moved.collect::<Option<_>>().map(Possible::Address).ok_or(Escape("an address far away"))
}

fn pairs(places: &Places) -> Vec<(MemoryBlockId, Strided)> {
    places.iter().map(|(id, offset)| (*id, *offset)).collect()
}

/// How things compare that are not equal.
fn unequal(op: BinaryOp) -> Result<Possible, Escape> {
    match op {
        BinaryOp::Equal => Ok(Possible::of(Value::Int(0))),
        BinaryOp::NotEqual => Ok(Possible::of(Value::Int(1))),
        _ => Err(Escape("the order of addresses")),
    }
}
