//! A concrete state: the call stack, the globals and the memory.

use super::Failure;
use super::memory::{Lifetime, Memory, MemoryBlockId};
use super::value::{Arithmetic, Pointer, Value};
use ir::{BlockId, Expr, MemoryKind, ProcedureId, Variable};
use std::sync::Arc;

/// A state of a run.
#[derive(Clone, Debug)]
pub struct State {
    /// The active calls, outermost first. Empty when the entry has returned.
    pub(super) frames: Vec<Frame>,
    pub(super) globals: Variables,
    pub(super) memory: Memory,
}

/// One active call.
#[derive(Clone, Debug)]
pub struct Frame {
    pub(super) location: Location,
    pub(super) variables: Variables,
    /// The blocks to release at the return.
    pub(super) allocas: Vec<MemoryBlockId>,
    /// Where the caller wants this call's result.
    pub(super) result_target: Option<Variable>,
}

/// A point of the program: before a command, or before the terminator when the
/// command's index is the number of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The procedure.
    pub procedure: ProcedureId,
    /// The block.
    pub block: BlockId,
    /// How many commands of the block are done.
    pub command: usize,
}

/// The values of the variables of one scope.
#[derive(Clone, Debug)]
pub(super) struct Variables {
    /// The variables of the scope, ascending.
    pub(super) names: Arc<[Variable]>,
    /// Their values; `None` when nothing was assigned or read yet.
    pub(super) values: Vec<Option<Value>>,
}

impl Variables {
    pub(super) fn unassigned(names: &Arc<[Variable]>) -> Self {
        Self { names: Arc::clone(names), values: vec![None; names.len()] }
    }

    fn iter(&self) -> impl Iterator<Item = (Variable, Value)> + '_ {
        let both = self.names.iter().zip(&self.values);
        both.filter_map(|(variable, value)| value.map(|value| (*variable, value)))
    }

    /// Sets a variable, if it is of this scope.
    pub(super) fn set(&mut self, variable: Variable, value: Option<Value>) -> Option<()> {
        let position = self.position(variable)?;
        self.values[position] = value;
        Some(())
    }

    fn position(&self, variable: Variable) -> Option<usize> {
        // Variables of one scope mostly have consecutive numbers.
        let guess = variable.0.checked_sub(self.names.first()?.0)? as usize;
        if self.names.get(guess) == Some(&variable) {
            return Some(guess);
        }
        self.names.binary_search(&variable).ok()
    }
}

impl Frame {
    /// Where the call stands; for all but the innermost, after the call.
    #[must_use]
    pub fn location(&self) -> Location {
        self.location
    }

    /// The `alloca` blocks that are released when the call returns.
    #[must_use]
    pub fn allocas(&self) -> &[MemoryBlockId] {
        &self.allocas
    }

    /// The caller's variable that receives the result.
    #[must_use]
    pub fn result_target(&self) -> Option<Variable> {
        self.result_target
    }

    /// The value of one of the procedure's variables, if it has one.
    #[must_use]
    pub fn value(&self, variable: Variable) -> Option<Value> {
        self.variables.values[self.variables.position(variable)?]
    }

    /// The procedure's variables that have a value, ascending.
    pub fn variables(&self) -> impl Iterator<Item = (Variable, Value)> + '_ {
        self.variables.iter()
    }
}

impl State {
    /// Where the run stands, unless the entry has returned.
    #[must_use]
    pub fn location(&self) -> Option<Location> {
        self.frames.last().map(Frame::location)
    }

    /// The active calls, outermost first.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The globals that have a value, ascending.
    pub fn globals(&self) -> impl Iterator<Item = (Variable, Value)> + '_ {
        self.globals.iter()
    }

    /// The memory.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The value of a global or of a variable of the innermost call, if it has
    /// one.
    #[must_use]
    pub fn value(&self, variable: Variable) -> Option<Value> {
        let scopes = self.frames.last().map(|frame| &frame.variables);
        let mut scopes = scopes.into_iter().chain([&self.globals]);
        scopes.find_map(|scope| scope.values[scope.position(variable)?])
    }

    /// The value of an expression in the innermost call; `None` where a variable has none yet. The
    /// recursion is as deep as the expression.
    ///
    /// # Errors
    /// When an operator has no result for its operands.
    pub fn value_of(&self, expr: &Expr) -> Result<Option<Value>, Failure> {
        let arithmetic = Arithmetic::of(&self.memory);
        let value = match expr {
            Expr::Constant(number) => Value::Int(*number),
            Expr::Variable(variable) => return Ok(self.value(*variable)),
            Expr::Procedure(procedure) => Value::Procedure(*procedure),
            Expr::Unary(op, operand) => {
                let Some(operand) = self.value_of(operand)? else { return Ok(None) };
                arithmetic.unary(*op, operand)?
            }
            Expr::Binary(op, left, right) => {
                let Some(left) = self.value_of(left)? else { return Ok(None) };
                let Some(right) = self.value_of(right)? else { return Ok(None) };
                arithmetic.binary(*op, left, right)?
            }
            Expr::Wrap(kind, operand) => {
                let Some(operand) = self.value_of(operand)? else { return Ok(None) };
                arithmetic.wrap(*kind, operand)?
            }
        };
        Ok(Some(value))
    }

    /// Gives a value to a global or to a variable of the innermost call.
    pub fn assign(&mut self, variable: Variable, value: Value) {
        self.set(variable, Some(value));
    }

    /// The same; `None` makes the value arbitrary.
    pub(super) fn set(&mut self, variable: Variable, value: Option<Value>) {
        let local = self.frames.last_mut().map(|frame| &mut frame.variables);
        let mut scopes = local.into_iter().chain([&mut self.globals]);
        // A variable of another procedure has no value here.
        let _ = scopes.find_map(|scope| scope.set(variable, value));
    }

    /// The memory, to build a state by hand.
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// The heap blocks that were not freed.
    #[must_use]
    pub fn unfreed(&self) -> Vec<MemoryBlockId> {
        let heap = self.memory.live_blocks().filter(|(_, block)| block.kind == MemoryKind::Heap);
        heap.map(|(id, _)| id).collect()
    }

    /// The heap blocks that were not freed and that no variable and no other
    /// kind of block leads to, directly or through other blocks.
    #[must_use]
    pub fn leaked(&self) -> Vec<MemoryBlockId> {
        self.out_of_reach(|_| true)
    }

    /// The same where the program is over: what points one past the end of a block does not lead
    /// to it, since nobody takes a step back.
    #[must_use]
    pub fn leaked_at_the_end(&self) -> Vec<MemoryBlockId> {
        self.out_of_reach(|pointer| {
            let size = self.memory.block(pointer.block).size;
            pointer.offset == 0 || (0..size).contains(&pointer.offset)
        })
    }

    /// The heap blocks that were not freed and that no chain of pointers leads to that lead on.
    fn out_of_reach(&self, leads: impl Fn(&Pointer) -> bool) -> Vec<MemoryBlockId> {
        let mut reached = vec![false; self.memory.n_blocks()];
        let others = self.memory.live_blocks().filter(|(_, it)| it.kind != MemoryKind::Heap);
        let mut pending: Vec<MemoryBlockId> = others.map(|(id, _)| id).collect();
        let locals = self.frames.iter().flat_map(Frame::variables);
        for (_, value) in self.globals().chain(locals) {
            pending.extend(value.as_pointer().filter(&leads).map(|it| it.block));
        }
        while let Some(id) = pending.pop() {
            if !std::mem::replace(&mut reached[id.index()], true) {
                let targets = self.memory.block(id).targets();
                pending.extend(targets.filter(&leads).map(|it| it.block));
            }
        }
        let mut unfreed = self.unfreed();
        unfreed.retain(|id| !reached[id.index()]);
        unfreed
    }

    /// Ends the lifetime of the `alloca` blocks of a call that returns.
    pub(super) fn release_allocas(&mut self, frame: &Frame) {
        for &block in &frame.allocas {
            if self.memory.block(block).lifetime == Lifetime::Live {
                self.memory.end_lifetime(block);
            }
        }
    }
}
