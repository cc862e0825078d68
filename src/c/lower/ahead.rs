//! Operands of which another one keeps the program from coming back.
//!
//! In `f() + *p` the call may end the program, or go on for ever, and then nothing goes wrong at
//! `p`. C leaves open which of the two comes first. No value tells these orders apart, so the way
//! from left to right stands for all of them, but for one thing: what happens *before* the other
//! operand does not come back.
//!
//! ```text
//!   some operand may not come back          another one may go wrong, or leave something
//!   ───────────────────────────────────────────────────────────────────────────────────── AHEAD
//!   a way on which that one is evaluated first, then those that may end the program
//! ```
//!
//! Where all orders of such operands are lowered (`order`), each is evaluated first in one of them.
//! Where all come back, the run is one of those from left to right: the way is followed no
//! further. Formulas tell orders apart by the states on the way (`observed`): they have no use
//! for ways that end in nothing.

use wane_grammar::c::ast::Expr as Tree;
use wane_grammar::c::place::Place;

use super::effects::{Cell, Touched};
use super::order::{MAX_DEPTH, ORDER};
use super::scope::Entity;
use super::{Lowered, Lowering};
use crate::types::Type;
use ir::{BlockId, Command, Expr, Terminator};

impl<'a> Lowering<'a> {
    /// Adds the ways on which an operand is evaluated ahead of others that may not come back.
    pub(super) fn look_ahead(&mut self, operands: &[&'a Tree], place: Place) -> Lowered<()> {
        if self.models.site.is_some() || !self.source.roots().is_empty() {
            return Ok(());
        }
        let wholes: Vec<Touched> = operands.iter().map(|operand| self.touched(operand)).collect();
        let is_ahead = |index: &usize| {
            let others = wholes.iter().enumerate().filter(|(other, _)| other != index);
            let mut others = others.map(|(_, other)| other);
            others.any(|other| self.matters_ahead(&wholes[*index], other))
        };
        let ahead: Vec<usize> = (0..operands.len()).filter(is_ahead).collect();
        let are_ordered = || {
            let mut pairs = wholes.iter().enumerate();
            pairs.all(|(index, one)| wholes[index + 1..].iter().all(|it| !self.differ(one, it)))
        };
        // The first one is evaluated first anyway.
        let ahead: Vec<usize> = match ahead.as_slice() {
            [0, others @ ..] if are_ordered() => others.to_vec(),
            all => all.to_vec(),
        };
        if ahead.is_empty() {
            return Ok(());
        }
        let may_end = |index: &usize| wholes[*index].calls.may_end;
        let ending: Vec<usize> = (0..operands.len()).filter(may_end).collect();
        let mut again = ahead.iter().chain(&ending);
        if self.orders.depth >= MAX_DEPTH || again.any(|index| wholes[*index].calls.has_statements)
        {
            return self.or_not_lowered(ORDER, place, |_| Ok(()));
        }
        self.orders.depth += 1;
        let result = self.ways_ahead(operands, &ahead, &ending, place);
        self.orders.depth -= 1;
        result
    }

    /// The way on which no operand is evaluated ahead, and for each of `ahead` one on which it is,
    /// and then those of `ending`.
    fn ways_ahead(
        &mut self,
        operands: &[&'a Tree],
        ahead: &[usize],
        ending: &[usize],
        place: Place,
    ) -> Lowered<()> {
        let span = self.span(place);
        let choice = self.choose(ORDER, place);
        let on = self.body.block(span);
        let ways: Vec<BlockId> = ahead.iter().map(|_| self.body.block(span)).collect();
        let all: Vec<BlockId> = std::iter::once(on).chain(ways.iter().copied()).collect();
        self.go_by(choice, &all, place);
        for (way, first) in ways.into_iter().zip(ahead) {
            self.body.current = way;
            self.rvalue(operands[*first])?;
            for other in ending.iter().filter(|other| *other != first) {
                self.rvalue(operands[*other])?;
            }
            self.emit(Command::Assume { condition: Expr::Constant(0) }, place);
            self.body.terminate(Terminator::Goto(on), span);
        }
        self.body.current = on;
        Ok(())
    }

    /// Whether it makes a difference that a part is evaluated before another one, as that may not
    /// come back.
    pub(super) fn matters_ahead(&self, part: &Touched, other: &Touched) -> bool {
        let ends_instead = other.calls.may_end && part.calls.may_last;
        let may_lose = || part.writes().any(|cell| self.may_hold_pointer(cell));
        ends_instead || other.may_not_come_back() && (part.calls.may_fail || may_lose())
    }

    /// Whether memory may be lost, or still be there at the end, by what is written to a cell.
    fn may_hold_pointer(&self, cell: Cell) -> bool {
        match cell {
            Cell::Local(name) => match self.scopes.entity(name) {
                Some(Entity::Local(local)) => !matches!(local.ty, Type::Int(_) | Type::Float(_)),
                _ => true,
            },
            Cell::Errno | Cell::Watched => false,
            Cell::Named(_) | Cell::Taken(_) | Cell::Member(_) | Cell::Memory => true,
        }
    }
}
