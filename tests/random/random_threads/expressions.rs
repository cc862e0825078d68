//! Random expressions.

use super::generate::{Context, Maker, Spot, Theme};
use super::sequence::is_defined;
use super::tree::{AtomicOp, Cell, Expr, Object, Op, Place, Role, What};

/// What a call is to give.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallResult {
    /// A number.
    Number,
    /// Nothing.
    None,
}

impl Maker<'_> {
    /// 0 or 1.
    pub(crate) fn index(&mut self) -> Expr {
        let flag = self.any(&self.flags.clone());
        let read = Box::new(Expr::Read(Place::At(flag)));
        match self.random.below(5) {
            0 => Expr::Not(read),
            1 => Expr::Value(self.number(2)),
            _ => *read,
        }
    }

    pub(crate) fn place(&mut self, context: &Context) -> Place {
        let mut spots = self.spots.clone();
        if context.has_argument {
            spots.extend([Spot::Argument, Spot::Argument]);
        }
        let read = |cell: Cell| Box::new(Expr::Read(Place::At(cell)));
        match self.any(&spots) {
            Spot::Number(cell) | Spot::Device(cell) => Place::At(cell),
            Spot::Element(first) => Place::Element(first, Box::new(self.index())),
            Spot::Field(cell) => Place::Field(Box::new(Place::At(cell)), self.field()),
            Spot::FieldElement(first) => {
                let element = Place::Element(first, Box::new(self.index()));
                Place::Field(Box::new(element), self.field())
            }
            Spot::Pointed(cell) => Place::Pointed(read(cell), 0),
            Spot::Tabled(first) => {
                let element = Expr::Read(Place::Element(first, Box::new(self.index())));
                Place::Pointed(Box::new(element), 0)
            }
            Spot::Peer(device) => Place::Pointed(read(device + 1), 0),
            Spot::Argument => Place::Pointed(Box::new(Expr::Local(0)), 0),
        }
    }

    pub(crate) fn field(&mut self) -> u8 {
        u8::from(self.one_in(2))
    }

    /// A call of a helper that returns a number, or of one that does not.
    pub(crate) fn call(
        &mut self,
        context: &Context,
        result: CallResult,
        depth: usize,
    ) -> Option<Expr> {
        let is_number = result == CallResult::Number;
        let fits = |it: &usize| {
            matches!(self.program.functions[*it].role,
                Role::Helper { returns, .. } if returns == is_number)
        };
        let helpers: Vec<usize> = self.helpers.iter().copied().filter(fits).collect();
        if helpers.is_empty() || !context.calls || !context.held.is_empty() {
            return None;
        }
        let helper = self.any(&helpers);
        let Role::Helper { parameters, .. } = self.program.functions[helper].role else {
            return None;
        };
        let depth = depth.saturating_sub(1);
        let arguments = (0..parameters).map(|_| self.value(context, depth)).collect();
        let value = i8::try_from(helper).unwrap();
        let is_action = |it: &&Object| it.what == What::Action && it.initial[0] == value;
        let action = self.program.objects.iter().find(is_action).map(|it| it.first);
        let callee = match action {
            Some(action) if self.one_in(2) => Expr::Read(Place::At(action)),
            _ => Expr::Function(u8::try_from(helper).unwrap()),
        };
        Some(Expr::Call(Box::new(callee), arguments))
    }

    pub(crate) fn atomic(&mut self, context: &Context, depth: usize) -> Expr {
        let numbers: Vec<Cell> = self
            .spots
            .iter()
            .filter_map(|it| match it {
                Spot::Number(cell) => Some(*cell),
                _ => None,
            })
            .collect();
        let cell = self.any(&numbers);
        let address = Expr::Address(cell);
        let op = self.any(&[
            AtomicOp::Load,
            AtomicOp::Store,
            AtomicOp::Store,
            AtomicOp::Exchange,
            AtomicOp::FetchAdd,
            AtomicOp::FetchSubtract,
            AtomicOp::FetchSubtract,
            AtomicOp::FetchAnd,
            AtomicOp::AddFetch,
            AtomicOp::Swap,
            AtomicOp::Swap,
        ]);
        let n_more = match op {
            AtomicOp::Load => 0,
            AtomicOp::Swap => 2,
            _ => 1,
        };
        let mut operands = vec![address];
        operands.extend((0..n_more).map(|_| self.value(context, depth.saturating_sub(1))));
        Expr::Atomic(op, operands)
    }

    pub(crate) fn value(&mut self, context: &Context, depth: usize) -> Expr {
        loop {
            let value = self.any_value(context, depth);
            if is_defined(&self.program, &value) {
                return value;
            }
        }
    }

    pub(crate) fn any_value(&mut self, context: &Context, depth: usize) -> Expr {
        if depth > 0 {
            let op = self.any(&[Op::Add, Op::Subtract, Op::Subtract, Op::And]);
            let n = if self.is_about(Theme::Order) { 7 } else { 12 };
            match self.random.below(n) {
                0 | 1 => {
                    let left = Box::new(self.any_value(context, depth - 1));
                    return Expr::Binary(op, left, Box::new(self.any_value(context, depth - 1)));
                }
                2 | 3 => {
                    if let Some(call) = self.call(context, CallResult::Number, depth) {
                        return call;
                    }
                }
                4 if self.one_in(3) => {
                    let (up, place) = (self.one_in(3), self.place(context));
                    return Expr::Count { up, old: true, place, read: None };
                }
                5 if self.one_in(3) => {
                    let condition = Box::new(self.condition(context, 0));
                    let then = Box::new(self.any_value(context, depth - 1));
                    let otherwise = Box::new(self.any_value(context, depth - 1));
                    return Expr::Choice(condition, then, otherwise);
                }
                6 if self.one_in(3) => {
                    let first = Box::new(self.flag_action(context));
                    let then = Box::new(self.any_value(context, depth - 1));
                    return Expr::Comma(first, then);
                }
                _ => {}
            }
        }
        match self.random.below(5) {
            0 => Expr::Value(self.number(3)),
            1 => match context.locals.last() {
                Some(local) => Expr::Local(*local),
                None => Expr::Value(self.number(2)),
            },
            2 => {
                let flag = self.any(&self.flags.clone());
                Expr::Read(Place::At(flag))
            }
            _ => Expr::Read(self.place(context)),
        }
    }

    pub(crate) fn condition(&mut self, context: &Context, depth: usize) -> Expr {
        loop {
            let condition = self.any_condition(context, depth);
            if is_defined(&self.program, &condition) {
                return condition;
            }
        }
    }

    pub(crate) fn any_condition(&mut self, context: &Context, depth: usize) -> Expr {
        let n = if self.is_about(Theme::Order) { 16 } else { 13 };
        let roll = self.random.below(n);
        if let Some(id) = self.id
            && self.one_in(3)
        {
            let itself = Box::new(Expr::Itself);
            return match self.one_in(2) {
                true => Expr::Binary(Op::Equal, itself, Box::new(Expr::Read(Place::At(id)))),
                false => Expr::Binary(Op::Remainder, itself, Expr::number(2)),
            };
        }
        match roll {
            0..=3 => {
                let op = self.any(&[Op::More, Op::More, Op::Differs, Op::Equal]);
                let bound = self.any(&[0, 0, 0, 1]);
                Expr::Binary(op, Box::new(Expr::Read(self.place(context))), Expr::number(bound))
            }
            4 | 5 => Expr::Read(self.place(context)),
            6 => {
                let flag = self.any(&self.flags.clone());
                Expr::Not(Box::new(Expr::Read(Place::At(flag))))
            }
            7 => {
                let flag = self.any(&self.flags.clone());
                Expr::Read(Place::At(flag))
            }
            8 if depth > 0 => {
                let left = Box::new(self.any_condition(context, depth - 1));
                let right = Box::new(self.any_condition(context, depth - 1));
                match self.one_in(2) {
                    true => Expr::Both(left, right),
                    false => Expr::Either(left, right),
                }
            }
            9 if self.one_in(2) => Expr::Nondet,
            10 if depth > 0 => {
                let (up, place) = (self.one_in(4), self.place(context));
                let count = Expr::Count { up, old: true, place, read: None };
                Expr::Binary(Op::More, Box::new(count), Expr::number(0))
            }
            11 if depth > 0 => {
                let atomic = self.atomic(context, 0);
                match &atomic {
                    Expr::Atomic(AtomicOp::Store, _) => self.any_condition(context, depth),
                    _ => Expr::Binary(Op::More, Box::new(atomic), Expr::number(0)),
                }
            }
            12 => match context.locals.last() {
                Some(local) => {
                    let op = self.any(&[Op::More, Op::Equal, Op::Differs]);
                    Expr::Binary(op, Box::new(Expr::Local(*local)), Expr::number(self.number(2)))
                }
                None => Expr::Read(self.place(context)),
            },
            _ => {
                let op = self.any(&[Op::More, Op::More, Op::Less, Op::Equal, Op::Differs]);
                let left = Box::new(self.any_value(context, depth.min(1)));
                Expr::Binary(op, left, Box::new(self.any_value(context, depth.min(1))))
            }
        }
    }
}
