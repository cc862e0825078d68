//! Calls whose result is known from constants alone: the interpreter runs them.

use super::Semantics;
use super::memory::constant_offset;
use super::rearrange::block_with;
use base::budget::Budget;
use base::limits::CONSTANT_CALL_STEPS;
use base::source::Span;
use concrete::Outcome;
use concrete::choices::{Choices, Occasion};
use concrete::interpreter::Interpreter;
use concrete::memory::{Memory, MemoryBlock, MemoryBlockId};
use concrete::state::State as Run;
use concrete::value::{Arithmetic, Pointer, Value};
use heap::state::State;
use heap::{Atom, Block, Cell, Content};
use ir::{Expr, InitialContent, MemoryKind, ProcedureId, ScalarType, Terminator};
use logic::{Integer, LinearExpr};

/// No block that a call looks at is larger.
const MAX_BYTES: i64 = 1024;

/// ```text
///   Q ⊢ x̄ = v̄    the run of f(v̄) on the constants in Q's blocks reads nothing else,
///   writes nothing, and yields v
///   ──────────────────────────────────────────────────────────────────────────────── CONSTANT CALL
///   {Q} y := f(x̄) {Q & y = v}
/// ```
///
/// The result of a call with these arguments, if constants decide it.
#[must_use]
pub(super) fn result_of_constants(
    machine: &Semantics<'_>,
    state: &State,
    procedure: ProcedureId,
    arguments: &[LinearExpr],
) -> Option<LinearExpr> {
    let interpreter = Interpreter::new(machine.program);
    let mut run = interpreter.initial_of(procedure);
    let mut copies: Vec<(usize, MemoryBlockId)> = Vec::new();
    let parameters = &machine.program.procedure(procedure).parameters;
    for (parameter, argument) in parameters.iter().zip(arguments) {
        let value = concrete_value(state, argument, &mut copies, run.memory_mut())?;
        run.assign(*parameter, value);
    }
    let before: Vec<MemoryBlock> =
        copies.iter().map(|(_, id)| run.memory().block(*id).clone()).collect();
    let result = returned(machine, &interpreter, &mut run)?;
    let is_as_before = |(index, (_, id)): (usize, &(usize, MemoryBlockId))| {
        *run.memory().block(*id) == before[index]
    };
    let changes_nothing = run.globals().next().is_none()
        && copies.iter().enumerate().all(is_as_before)
        && run.memory().live_blocks().count() == copies.len();
    if !changes_nothing {
        return None;
    }
    match result {
        Value::Int(number) => Some(LinearExpr::constant(number)),
        Value::Pointer(Pointer { block, offset }) => {
            let (atom, _) = copies.iter().find(|(_, id)| *id == block)?;
            let Atom::Block(block) = &state.heap.atoms[*atom] else { return None };
            Some(LinearExpr::var(block.base).add_constant(Integer::from(offset)))
        }
        Value::Procedure(_) => None,
    }
}

/// The value that the call returns, unless it does not end well within its steps or asks
/// for a value.
fn returned(
    machine: &Semantics<'_>,
    interpreter: &Interpreter<'_>,
    run: &mut Run,
) -> Option<Value> {
    let mut refusing = Refusing { was_asked: None };
    let mut budget = Budget::of_steps(CONSTANT_CALL_STEPS);
    loop {
        let location = run.location()?;
        let block = machine.program.procedure(location.procedure).block(location.block);
        let is_last = run.frames().len() == 1 && location.command == block.commands.len();
        if is_last && let Terminator::Return(value) = &block.terminator {
            return evaluated(run, value.as_ref()?);
        }
        budget.spend(1).ok()?;
        let outcome = interpreter.step(run, &mut refusing);
        if outcome != Outcome::Running || refusing.was_asked.is_some() {
            return None;
        }
    }
}

/// The value of an expression whose variables all have one.
fn evaluated(run: &Run, expr: &Expr) -> Option<Value> {
    let arithmetic = Arithmetic::of(run.memory());
    let value = |expr: &Expr| evaluated(run, expr);
    match expr {
        Expr::Constant(number) => Some(Value::Int(*number)),
        Expr::Variable(variable) => run.value(*variable),
        Expr::Procedure(_) => None,
        Expr::Unary(op, operand) => arithmetic.unary(*op, value(operand)?).ok(),
        Expr::Binary(op, left, right) => arithmetic.binary(*op, value(left)?, value(right)?).ok(),
        Expr::Wrap(kind, operand) => arithmetic.wrap(*kind, value(operand)?).ok(),
    }
}

/// Notes that a run asks for a value.
struct Refusing {
    was_asked: Option<()>,
}

impl Choices for Refusing {
    fn choose(&mut self, _: ScalarType, _: Occasion<'_>) -> i128 {
        self.was_asked = Some(());
        0
    }
}

/// An argument as the run sees it: a number, or an address in a copy of its block.
fn concrete_value(
    state: &State,
    argument: &LinearExpr,
    copies: &mut Vec<(usize, MemoryBlockId)>,
    memory: &mut Memory,
) -> Option<Value> {
    if let Some(number) = argument.as_constant() {
        return number.to_i128().map(Value::Int);
    }
    let (atom, offset) = block_with(state, argument)?;
    let offset = i128::from(constant_offset(&offset)?);
    if let Some((_, block)) = copies.iter().find(|(known, _)| *known == atom) {
        return Some(Value::Pointer(Pointer { block: *block, offset }));
    }
    let Atom::Block(block) = &state.heap.atoms[atom] else { return None };
    let copy = copied(block, memory)?;
    copies.push((atom, copy));
    Some(Value::Pointer(Pointer { block: copy, offset }))
}

/// A block with the numbers that are known of it. Of all other bytes the run must ask.
fn copied(block: &Block, memory: &mut Memory) -> Option<MemoryBlockId> {
    let size = constant_offset(&block.size).filter(|size| (0..=MAX_BYTES).contains(size))?;
    let is_all_known =
        block.recent.is_empty() && block.segment.as_ref().is_none_or(|segment| segment.is_empty());
    let content = match block.content {
        Content::Zero if is_all_known => InitialContent::Zero,
        Content::Zero | Content::Arbitrary => InitialContent::Arbitrary,
    };
    let number = |cell: &Cell| match cell.ty {
        ScalarType::Int(kind) => {
            let number = cell.value.as_constant()?.to_i128()?;
            (kind.wrap(number) == number).then_some(number)
        }
        ScalarType::Pointer | ScalarType::Float(_) => None,
    };
    if block.content == Content::Zero && block.cells.iter().any(|cell| number(cell).is_none()) {
        return None;
    }
    let bytes = Value::Int(i128::from(size));
    let copy = memory.allocate(MemoryKind::Static, bytes, content, Span::NOWHERE).ok()?;
    for cell in &block.cells {
        let place = Value::Pointer(Pointer { block: copy, offset: i128::from(cell.offset) });
        let is_inside = cell.offset + i64::from(cell.ty.bytes(memory.pointer_bytes())) <= size;
        if let (Some(number), true) = (number(cell), is_inside) {
            memory.store(place, cell.ty, Value::Int(number)).ok()?;
        }
    }
    Some(copy)
}
