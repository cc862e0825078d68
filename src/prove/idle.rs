//! Endless runs that show a mistake of the function itself, whoever calls it.

use concolic::repeated::Repetitions;
use concolic::shadow::{Choice, Slot, Symbol};
use concrete::Outcome;
use concrete::choices::{ChoiceList, reduced};
use concrete::interpreter::Interpreter;
use concrete::memory::MemoryBlockId;
use concrete::state::State;
use concrete::value::{Pointer, Value};
use ir::{BinaryOp, Callee, Command, Expr, Program, ScalarType, Variable};
use std::collections::BTreeSet;
use verdict::Refutation;
use verdict::witness::Lasso;

/// Runs with other numbers are looked at for so many steps, and so many numbers are changed.
const STEPS_OF_OTHERS: u64 = 6_000;
const MOST_NUMBERS: usize = 24;

/// Whether a round is repeated that writes nothing of what decides that there is another
/// one, and lets nobody else move. A loop that goes on as what it finds in memory leads
/// round in a ring, or as its step is zero, may be one that nobody enters so; of this one nobody can
/// say that. Nor of one that gives its own numbers the values that they have (`lo = mid`), in one round
/// or several that ask nothing of memory, if other numbers that come in lead to no end, either.
#[must_use]
pub(super) fn is_idle(program: &Program, Refutation { witness, lasso }: &Refutation) -> bool {
    if witness.rounds.is_some() || witness.trap.is_some() || witness.restriction.is_some() {
        return false;
    }
    let is_recursion = lasso.next.frames().len() != lasso.state.frames().len();
    if is_recursion {
        return false;
    }
    // What a round is given may end the program, too, and where others move, they may end it.
    if !lasso.choices[1].is_empty() {
        return false;
    }
    let Some(deciding) = deciding(lasso) else { return false };
    let is_pointer = |slot: &Slot| {
        lasso.entries.iter().any(|it| it.slot == *slot && it.value.as_pointer().is_some())
    };
    let is_own_number = |it: &Slot| matches!(it, Slot::Local(..)) && !is_pointer(it);
    let (own, deciding): (BTreeSet<Slot>, BTreeSet<Slot>) =
        deciding.into_iter().partition(is_own_number);
    let mut writes_own = false;
    let interpreter = Interpreter::new(program);
    // Round and round through what memory holds may be a way that nobody takes.
    let asks_memory = deciding.iter().any(|it| matches!(it, Slot::Memory(..)));
    let (mut state, head) = (lasso.state.clone(), lasso.state.location());
    let mut choices = ChoiceList::new(witness.cycle.clone());
    for step in 0..witness.n_cycle_steps {
        let is_second = step > 0 && state.location() == head;
        if is_second && asks_memory || writes(program, &state, &deciding) {
            return false;
        }
        writes_own |= writes(program, &state, &own);
        if interpreter.step(&mut state, &mut choices) != Outcome::Running {
            return false;
        }
    }
    !writes_own || is_of_many(program, lasso)
}

/// Whether runs with other numbers that come in never end, either: of each, with one that is larger or
/// smaller by one.
fn is_of_many(program: &Program, lasso: &Lasso) -> bool {
    let stem = &lasso.choices[0];
    let repetitions = Repetitions::new(program);
    let is_number = |it: &Choice| matches!(it.ty, ScalarType::Int(kind) if kind.bits > 1);
    let numbers = stem.iter().enumerate().filter(|it| is_number(it.1)).map(|it| it.0);
    let goes_on = |at: usize, other: i128| {
        let mut values: Vec<i128> = stem.iter().map(|it| it.value).collect();
        values[at] = reduced(values[at] + other, stem[at].ty, program.pointer_bytes);
        repetitions.first(&mut ChoiceList::new(values), STEPS_OF_OTHERS).is_some()
    };
    let mut numbers = numbers.take(MOST_NUMBERS + 1).enumerate();
    numbers.all(|(n, at)| n < MOST_NUMBERS && [1, -1].into_iter().any(|it| goes_on(at, it)))
}

/// Where the numbers stand that decide; nothing if what is chosen in the round does, too.
fn deciding(lasso: &Lasso) -> Option<BTreeSet<Slot>> {
    let symbols = lasso.returned.guards.iter().flat_map(|it| it.expr().variables());
    let mut slots: BTreeSet<Slot> = symbols
        .map(|it| match Symbol::of(it) {
            Symbol::Entry(index) => Some(lasso.entries.get(index)?.slot),
            Symbol::Choice(_) | Symbol::Reduction(_) => None,
        })
        .collect::<Option<_>>()?;
    // Pointers decide by themselves.
    let pointers = lasso.entries.iter().filter(|it| it.value.as_pointer().is_some());
    slots.extend(pointers.map(|it| it.slot));
    Some(slots)
}

/// Whether the next step may write to one of these.
fn writes(program: &Program, state: &State, deciding: &BTreeSet<Slot>) -> bool {
    let Some(location) = state.location() else { return false };
    let block = program.procedure(location.procedure).block(location.block);
    let Some(instruction) = block.commands.get(location.command) else { return false };
    let gives = |target: Variable| {
        deciding.iter().any(|slot| match slot {
            Slot::Global(variable) | Slot::Local(_, variable) => *variable == target,
            Slot::Memory(..) => false,
        })
    };
    let stores = |address: &Expr| {
        let written = pointed_at(state, address);
        deciding.iter().any(|slot| match slot {
            Slot::Memory(pointer, _) => match written {
                Some((block, offset)) => {
                    block == pointer.block && offset.is_none_or(|it| it == pointer.offset)
                }
                None => true,
            },
            Slot::Global(_) | Slot::Local(..) => false,
        })
    };
    match &instruction.command {
        Command::Store { address, .. } => stores(address),
        Command::Fill { .. } | Command::Copy { .. } | Command::Free { .. } => {
            deciding.iter().any(|it| matches!(it, Slot::Memory(..)))
        }
        Command::Call { target, callee: Callee::Direct(callee), .. } => {
            let parameters = program.procedure(*callee).parameters.iter().copied();
            parameters.chain(*target).any(gives)
        }
        command => command.target().is_some_and(gives),
    }
}

/// The block that an address is in, and where in it, if that is plain.
fn pointed_at(state: &State, address: &Expr) -> Option<(MemoryBlockId, Option<i128>)> {
    let pointer = |variable: Variable| state.value(variable).and_then(Value::as_pointer);
    let Pointer { block, offset } = address.variables().find_map(pointer)?;
    let at = match address {
        Expr::Variable(_) => Some(offset),
        Expr::Binary(BinaryOp::Add, _, more) => match **more {
            Expr::Constant(bytes) => Some(offset + bytes),
            _ => None,
        },
        _ => None,
    };
    Some((block, at))
}
