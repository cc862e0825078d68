//! The steps that an expression makes itself, once its operands are values.

use super::machine::{Effect, Machine, Reading, State, Thread, Trouble, View};
use super::tree::{AtomicOp, Cell, Expr, Frame, Kind, Op, Place};

impl Machine<'_> {
    pub(crate) fn own_steps(
        &self,
        view: View<'_>,
        expr: &Expr,
        out: &mut Vec<(Expr, Effect)>,
    ) -> Result<(), Trouble> {
        let load = |cell: Cell| view.state.memory[usize::try_from(cell).unwrap()];
        match expr {
            Expr::Read(place) => {
                if let Some((cell, field)) = cell_of(place)? {
                    out.push((Expr::Value(part(load(cell), field)), Effect::Nothing));
                }
            }
            Expr::Assign(place, value) => {
                if let (Some((cell, field)), Some(value)) = (cell_of(place)?, value_of(value)) {
                    out.push(match field {
                        Some(field) => {
                            let (whole, value) = (with_part(load(cell), field, value), value & 3);
                            (Expr::Write(cell, whole, value), Effect::Nothing)
                        }
                        None => {
                            let value = self.converted(cell, value)?;
                            (Expr::Value(value), Effect::Write(cell, value))
                        }
                    });
                }
            }
            Expr::Update(op, place, by, read) => {
                let Some(target) = cell_of(place)? else { return Ok(()) };
                let by = value_of(by);
                let with = |read| Expr::Update(*op, place.clone(), expr_of(expr), Some(read));
                let change = by.map(|by| (*op, by));
                self.update(view, target, (*read, change, false), with, out)?;
            }
            Expr::Count { up, old, place, read } => {
                let Some(target) = cell_of(place)? else { return Ok(()) };
                let with = |read| Expr::Count {
                    up: *up,
                    old: *old,
                    place: place.clone(),
                    read: Some(read),
                };
                let op = if *up { Op::Add } else { Op::Subtract };
                self.update(view, target, (*read, Some((op, 1)), *old), with, out)?;
            }
            Expr::Atomic(op, operands) => {
                let values: Option<Vec<i8>> = operands.iter().map(value_of).collect();
                if let Some(values) = values {
                    out.push(self.atomic(*op, &values, load)?);
                }
            }
            Expr::Call(callee, arguments) => {
                let values: Option<Vec<i8>> = arguments.iter().map(value_of).collect();
                if let (Some(callee), Some(values)) = (value_of(callee), values) {
                    out.push((self.called(callee, values), Effect::Nothing));
                }
            }
            Expr::Running(frame) => {
                let steps = self.frame_steps(view, frame)?;
                let running = |it| Expr::Running(Box::new(it));
                out.extend(steps.into_iter().map(|(it, effect)| (running(it), effect)));
            }
            Expr::Write(cell, value, result) => {
                out.push((Expr::Value(*result), Effect::Write(*cell, *value)));
            }
            other => self.library(view, other, out)?,
        }
        Ok(())
    }

    fn called(&self, callee: i8, mut locals: Vec<i8>) -> Expr {
        let function = u8::try_from(callee).unwrap();
        let n_locals = self.program.functions[usize::from(function)].n_locals;
        locals.resize(usize::from(n_locals), 0);
        Expr::Running(Box::new(Frame { function, at: 0, locals, doing: None }))
    }

    /// Reads a place and writes it: in one step, if it is atomic.
    fn update(
        &self,
        view: View<'_>,
        (cell, field): (Cell, Option<u8>),
        (read, change, is_old): (Option<i8>, Option<(Op, i8)>, bool),
        with: impl Fn(i8) -> Expr,
        out: &mut Vec<(Expr, Effect)>,
    ) -> Result<(), Trouble> {
        let now = view.state.memory[usize::try_from(cell).unwrap()];
        let is_atomic = self.program.kind(cell).is_some_and(Kind::is_atomic);
        let Some(read) = read.or_else(|| is_atomic.then_some(now)) else {
            out.push((with(now), Effect::Nothing));
            return Ok(());
        };
        let Some((op, by)) = change else { return Ok(()) };
        let before = part(read, field);
        let after = computed(op, before, by)?;
        let Some(field) = field else {
            let after = self.converted(cell, after)?;
            let value = if is_old { before } else { after };
            out.push((Expr::Value(value), Effect::Write(cell, after)));
            return Ok(());
        };
        let value = if is_old { before } else { after & 3 };
        out.push((Expr::Value(value), Effect::Write(cell, with_part(read, field, after))));
        if self.reading == Reading::OnceOrTwice {
            let again = with_part(now, field, after);
            out.push((Expr::Write(cell, again, value), Effect::Nothing));
        }
        Ok(())
    }

    fn atomic(
        &self,
        op: AtomicOp,
        values: &[i8],
        load: impl Fn(Cell) -> i8,
    ) -> Result<(Expr, Effect), Trouble> {
        let (cell, by) = (values[0], values.get(1).copied().unwrap_or(0));
        if cell <= 0 {
            return Err(Trouble::Undefined);
        }
        let old = load(cell);
        let (new, value) = match op {
            AtomicOp::Load => return Ok((Expr::Value(old), Effect::Nothing)),
            AtomicOp::Store => (by, 0),
            AtomicOp::Exchange => (by, old),
            AtomicOp::FetchAdd => (computed(Op::Add, old, by)?, old),
            AtomicOp::FetchSubtract => (computed(Op::Subtract, old, by)?, old),
            AtomicOp::FetchAnd => (old & by, old),
            AtomicOp::AddFetch => {
                let new = computed(Op::Add, old, by)?;
                (new, new)
            }
            AtomicOp::Swap if old == by => (values[2], 1),
            AtomicOp::Swap => return Ok((Expr::Value(0), Effect::Nothing)),
        };
        Ok((Expr::Value(value), Effect::Write(cell, self.converted(cell, new)?)))
    }

    /// The steps of what a library does.
    fn library(
        &self,
        view: View<'_>,
        expr: &Expr,
        out: &mut Vec<(Expr, Effect)>,
    ) -> Result<(), Trouble> {
        let own = i8::try_from(view.thread).unwrap() + 1;
        let load = |cell: Cell| view.state.memory[usize::try_from(cell).unwrap()];
        let done = |effect| (Expr::Value(0), effect);
        match expr {
            Expr::Nondet => out.extend([0, 1].map(|it| (Expr::Value(it), Effect::Nothing))),
            Expr::Itself => out.push((Expr::Value(view.state.ids[view.thread]), Effect::Nothing)),
            Expr::Lock(lock) => {
                if let Some(lock) = value_of(lock).filter(|it| load(*it) == 0) {
                    out.push(done(Effect::Write(lock, own)));
                }
            }
            Expr::Unlock(lock) | Expr::Wait(_, lock) => {
                let Some(lock) = value_of(lock) else { return Ok(()) };
                if load(lock) != own {
                    return Err(Trouble::Undefined);
                }
                let then = match expr {
                    Expr::Wait(..) => Expr::Lock(Expr::number(lock)),
                    _ => Expr::Value(0),
                };
                out.push((then, Effect::Write(lock, 0)));
            }
            Expr::TryLock(lock) => {
                let Some(lock) = value_of(lock) else { return Ok(()) };
                out.push(match load(lock) {
                    0 => done(Effect::Write(lock, own)),
                    _ => (Expr::Value(1), Effect::Nothing),
                });
            }
            Expr::Signal(_) => out.push(done(Effect::Nothing)),
            Expr::Create(thread, into) => {
                let ids = self.free_ids(view.state, usize::from(*thread));
                out.extend(ids.into_iter().map(|id| done(Effect::Start(*thread, id, *into))));
            }
            Expr::Join(thread) => {
                if matches!(*view.state.threads[usize::from(*thread)], Thread::Ended) {
                    out.push(done(Effect::Joined(*thread)));
                }
            }
            Expr::Register(function) => out.push(done(Effect::Register(*function))),
            Expr::Exit => out.push(done(Effect::Exit)),
            Expr::ExitThread => out.push(done(Effect::EndThread)),
            _ => {}
        }
        Ok(())
    }

    /// What a thread may be called that is started now.
    fn free_ids(&self, state: &State, thread: usize) -> Vec<i8> {
        if self.n_ids == 0 {
            return vec![i8::try_from(thread).unwrap() + 1];
        }
        (1..=self.n_ids).filter(|it| !state.ids.contains(it)).collect()
    }
}

/// The cell of a place, and the field of it, once that is known.
pub(crate) fn cell_of(place: &Place) -> Result<Option<(Cell, Option<u8>)>, Trouble> {
    Ok(match place {
        Place::At(cell) => Some((*cell, None)),
        Place::Element(first, index) => match value_of(index) {
            Some(index @ 0..=1) => Some((first + index, None)),
            Some(_) => return Err(Trouble::Undefined),
            None => None,
        },
        Place::Pointed(address, offset) => match value_of(address) {
            Some(address) if address > 0 => Some((address + offset, None)),
            Some(_) => return Err(Trouble::Undefined),
            None => None,
        },
        Place::Field(place, field) => cell_of(place)?.map(|(cell, _)| (cell, Some(*field))),
    })
}

pub(crate) fn value_of(expr: &Expr) -> Option<i8> {
    match expr {
        Expr::Value(value) => Some(*value),
        _ => None,
    }
}

/// The operand by which a place is changed.
pub(crate) fn expr_of(update: &Expr) -> Box<Expr> {
    match update {
        Expr::Update(_, _, by, _) => by.clone(),
        other => panic!("{other:?} is no update"),
    }
}

/// What a condition is as a number.
pub(crate) fn expr_of_truth(condition: &Expr) -> Expr {
    Expr::Not(Box::new(Expr::Not(Box::new(condition.clone()))))
}

/// Whether a call runs in an expression.
pub(crate) fn runs(expr: &Expr) -> bool {
    matches!(expr, Expr::Running(_)) || expr.operands().into_iter().any(runs)
}

pub(crate) fn part(whole: i8, field: Option<u8>) -> i8 {
    field.map_or(whole, |field| (whole >> (2 * field)) & 3)
}

pub(crate) fn with_part(whole: i8, field: u8, value: i8) -> i8 {
    (whole & !(3 << (2 * field))) | ((value & 3) << (2 * field))
}

pub(crate) fn computed(op: Op, left: i8, right: i8) -> Result<i8, Trouble> {
    Ok(match op {
        Op::Add => left.checked_add(right).ok_or(Trouble::TooLarge)?,
        Op::Subtract => left.checked_sub(right).ok_or(Trouble::TooLarge)?,
        Op::And => left & right,
        Op::Or => left | right,
        Op::Remainder => left.checked_rem(right).ok_or(Trouble::Undefined)?,
        Op::Less => i8::from(left < right),
        Op::More => i8::from(left > right),
        Op::Equal => i8::from(left == right),
        Op::Differs => i8::from(left != right),
    })
}
