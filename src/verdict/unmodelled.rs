//! Values that a run has and the program may not, and whether anything depends on them.
//!
//! What is not modelled, such as the time or what assembly does, may be another value than the one
//! that is chosen; of a floating-point number nobody knows. A function by itself begins with objects
//! that a caller hands over, and with variables of the file as other calls left them, and another
//! caller gives other values. A run shows what the program does if no such value decides anything.
//!
//! ```text
//!   unknown: what an approximation stands for; of a function that is called, numbers among the
//!            arguments, what variables of the file hold, the bytes that were there before, what
//!            functions without a body give, what those of the library give for what is unknown
//!   address: of an object that is handed over
//!
//!     y unknown                a byte at p unknown            e unknown
//!   ───────────── CARRY       ───────────────────── LOAD     ─────────────────────────── STORE
//!   x := y                    x := [p]                       [p] := e
//!   x unknown                 x unknown                      the bytes at p unknown
//!
//!   nothing in e is unknown
//!   ────────────────────────────────────────────────────────────────────────────────── DECIDE
//!   assume e;  if e;  switch e;  call *e;  [e];  free e;  new(e);  bytes from e;  x / e
//!
//!   a: address     [a] := e
//!   ────────────────────────────────────────────────────── ALIAS
//!   the bytes of all other objects of before unknown again
//! ```
//!
//! Addresses are followed, and compared with null, with what the function made itself, and within
//! one object; all else that is made of them is unknown. Whatever a caller passes, an access there either works as it
//! does here, or is an error by itself. That holds for no access beyond the ends of an object, since
//! a caller may pass a longer one, and only for what is freed as a whole.

use concrete::memory::{Lifetime, MemoryBlockId};
use concrete::state::State;
use concrete::value::{Pointer, Value};
use ir::{
    BinaryOp, Callee, Command, Expr, HavocSource, IntKind, MemoryKind, ProcedureId, Program,
    ScalarType, Terminator, Variable,
};
use std::collections::{BTreeMap, BTreeSet};

/// So many bytes are copied or filled at once at most.
const MOST_BYTES: i128 = 1 << 12;

/// Functions that fail as what they write to does, which their models are not told.
const WRITERS: [&str; 6] = ["fprintf", "vfprintf", "dprintf", "vdprintf", "fwprintf", "vfwprintf"];

/// The function that is called, and what its file had before.
#[derive(Clone, Copy, Debug)]
pub struct Called<'a> {
    /// The function.
    pub procedure: ProcedureId,
    /// The variables of the file that other calls may have written.
    pub of_file: &'a [Variable],
}

/// Something depends on a value that is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Depends;

/// How far a value is what the program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// It is.
    Exactly,
    /// It is the address of an object that a caller hands over, or lies in it.
    Address,
    /// It may be another one.
    Not,
}

use Known::{Address, Exactly, Not};

/// A variable, with the call that it belongs to, by its depth; 0 for those of all.
type Slot = (usize, Variable);

/// A byte of a block.
type Byte = (MemoryBlockId, i128);

/// How far what a run has is what the program has.
#[derive(Clone)]
pub(super) struct Unmodelled<'a> {
    program: &'a Program,
    /// The function that somebody calls, where all depends on that.
    called: Option<Called<'a>>,
    /// The variables that are not exactly known.
    variables: BTreeMap<Slot, Known>,
    /// How many blocks there were when the function was called; nothing before, or if none is.
    n_blocks: Option<usize>,
    /// The bytes of those that were written since.
    written: BTreeSet<Byte>,
    /// The bytes of all blocks that something was written to which is not exactly known.
    received: BTreeMap<Byte, Known>,
    /// The depth of the call of a library function that got something which is not exactly known.
    told_unknown: Option<usize>,
    /// Whether a block of its own was given away by an address that does not lead to its start.
    gives_oddly: bool,
}

impl<'a> Unmodelled<'a> {
    /// Before the first step of a run.
    pub(super) fn new(program: &'a Program, called: Option<Called<'a>>) -> Self {
        Self {
            program,
            called,
            variables: BTreeMap::new(),
            n_blocks: None,
            written: BTreeSet::new(),
            received: BTreeMap::new(),
            told_unknown: None,
            gives_oddly: false,
        }
    }

    /// Whether the run has come to what is to be shown: the function has been called, if there is
    /// one.
    pub(super) fn is_begun(&self) -> bool {
        self.called.is_none() || self.n_blocks.is_some()
    }

    /// Whether everything is known so far.
    fn is_idle(&self) -> bool {
        self.called.is_none() && self.variables.is_empty() && self.received.is_empty()
    }

    /// Whether as much is known as in another state of the same run.
    pub(super) fn knows_what(&self, other: &Self) -> bool {
        (&self.variables, &self.received) == (&other.variables, &other.received)
    }

    /// Whether such blocks are lost by the function itself, while it runs: none was there before,
    /// and the caller has the address of none.
    pub(super) fn are_lost(&self, state: &State, blocks: &[MemoryBlockId]) -> bool {
        let is_running = self.called.is_none() || !state.frames().is_empty();
        is_running && !self.gives_oddly && !blocks.iter().any(|it| self.is_old(*it))
    }

    /// Follows the step that a state is about to make.
    ///
    /// # Errors
    /// When something in it depends on what is not known.
    pub(super) fn follow(&mut self, state: &State) -> Result<(), Depends> {
        let Some(location) = state.location().filter(|_| !self.is_idle()) else { return Ok(()) };
        let procedure = self.program.procedure(location.procedure);
        let Some(block) = procedure.blocks.get(location.block.index()) else { return Ok(()) };
        match block.commands.get(location.command) {
            Some(instruction) if self.is_begun() => self.command(&instruction.command, state),
            Some(instruction) => self.before_call(&instruction.command, state),
            None if self.is_begun() => self.terminator(&block.terminator, state),
            None => Ok(()),
        }
    }

    /// A value was chosen that is not modelled, by a command of a procedure in a call of this depth. Where
    /// a model of the library does not know something, all that it gives is in doubt: two descriptors
    /// that are open are not the same, say. Floating-point numbers are another matter.
    ///
    /// # Errors
    /// When that is so, or no variable gets the value.
    pub(super) fn chosen(
        &mut self,
        (depth, procedure): (usize, Option<ProcedureId>),
        command: Option<&Command>,
    ) -> Result<(), Depends> {
        let target = match command {
            Some(Command::Havoc { target, .. }) => {
                let is_float = matches!(self.program.variable(*target).ty, ScalarType::Float(_));
                let is_models = procedure.is_some_and(|it| self.is_of_library(it));
                if is_models && !is_float {
                    return Err(Depends);
                }
                *target
            }
            Some(Command::Load { target, .. }) => *target,
            _ => return Err(Depends),
        };
        self.set(target, depth, Not);
        Ok(())
    }

    /// What the caller does, up to the call.
    fn before_call(&mut self, command: &Command, state: &State) -> Result<(), Depends> {
        let depth = state.frames().len();
        match command {
            Command::Havoc { target, .. } | Command::Load { target, .. } => {
                self.set(*target, depth, Not);
            }
            Command::Assign { target, value } => {
                let known = self.known(value, state)?;
                self.set(*target, depth, known);
            }
            Command::Allocate { target, kind: MemoryKind::Heap, .. } => {
                self.set(*target, depth, Address);
            }
            Command::Call { callee: Callee::Direct(procedure), arguments, .. }
                if self.called.is_some_and(|it| it.procedure == *procedure) =>
            {
                self.n_blocks = Some(state.memory().n_blocks());
                let of_file = self.called.map_or(&[][..], |it| it.of_file);
                self.variables.extend(of_file.iter().map(|it| ((0, *it), Not)));
                self.pass(*procedure, arguments, state)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn command(&mut self, command: &Command, state: &State) -> Result<(), Depends> {
        let depth = state.frames().len();
        match command {
            Command::Assign { target, value } => {
                let known = self.known(value, state)?;
                self.set(*target, depth, known);
            }
            Command::Havoc { target, source } => {
                let known = self.given(*target, (source, state))?;
                self.set(*target, depth, known);
            }
            Command::Load { target, address, ty } => {
                let width = self.width_of(*ty);
                let from = self.accessed(address, width, state)?;
                let known = from.and_then(|it| self.bytes(it, width, state).max());
                self.set(*target, depth, known.unwrap_or(Exactly));
            }
            Command::Store { address, value, ty } => {
                let (width, known) = (self.width_of(*ty), self.known(value, state)?);
                if let Some(at) = self.accessed(address, width, state)? {
                    if self.is_old(at.block) {
                        self.give_away((value, Some(*ty)), state);
                    }
                    let by = self.level(address, state);
                    self.write((at, by), state, (0..width).map(|_| known));
                }
            }
            Command::Allocate { target, size, .. } => {
                self.decides(size, state)?;
                self.set(*target, depth, Exactly);
            }
            Command::Measure { target, address } => {
                self.followed(address, state)?;
                let of = value(state, address)?.as_pointer();
                let is_old = of.is_some_and(|it| self.is_old(it.block));
                self.set(*target, depth, if is_old { Not } else { Exactly });
            }
            Command::Free { address, kind } => self.free(address, *kind, state)?,
            Command::Fill { address, byte, size } => {
                let (width, known) = (self.size(size, state)?, self.known(byte, state)?);
                if let Some(at) = self.accessed(address, width, state)? {
                    let by = self.level(address, state);
                    self.write((at, by), state, (0..width).map(|_| known));
                }
            }
            Command::Copy { target, source, size, .. } => {
                let width = self.size(size, state)?;
                let from = self.accessed(source, width, state)?;
                let to = self.accessed(target, width, state)?;
                if let (Some(from), Some(to)) = (from, to) {
                    let by = self.level(target, state);
                    let bytes: Vec<Known> = self.bytes(from, width, state).collect();
                    self.gives_oddly |= self.is_old(to.block) && !self.is_old(from.block);
                    self.write((to, by), state, bytes.into_iter());
                }
            }
            // Where a signed number overflows that a caller gives, that is an error by itself.
            Command::Assume { .. } if command.range_assumed().is_some() => {}
            Command::Assume { condition } => self.tests(condition, state)?,
            Command::Call { callee, arguments, .. } => {
                let callee = match callee {
                    Callee::Direct(procedure) => *procedure,
                    Callee::Indirect(address) => {
                        self.decides(address, state)?;
                        match value(state, address)? {
                            Value::Procedure(procedure) => procedure,
                            Value::Int(_) | Value::Pointer(_) => return Ok(()),
                        }
                    }
                };
                self.pass(callee, arguments, state)?;
            }
            Command::Error { .. } | Command::Unsupported { .. } => {}
        }
        Ok(())
    }

    fn terminator(&mut self, terminator: &Terminator, state: &State) -> Result<(), Depends> {
        let depth = state.frames().len();
        match terminator {
            Terminator::Branch { condition, .. } => self.tests(condition, state)?,
            Terminator::Switch { value, .. } => self.decides(value, state)?,
            Terminator::Return(value) => {
                let known = value.as_ref().map(|it| self.known(it, state)).transpose()?;
                if let (Some(value), Some(frame), 2) = (value, state.frames().last(), depth) {
                    let result = self.program.procedure(frame.location().procedure).result;
                    self.give_away((value, result), state);
                }
                self.variables.retain(|(owner, _), _| *owner < depth);
                self.told_unknown = self.told_unknown.filter(|it| *it < depth);
                let target = state.frames().last().and_then(|frame| frame.result_target());
                if let (Some(target), true) = (target, depth > 1) {
                    self.set(target, depth - 1, known.unwrap_or(Exactly));
                }
            }
            Terminator::Goto(_) | Terminator::Halt => {}
        }
        Ok(())
    }

    /// How far what is arbitrary here is what somebody may give. Of what is not given in a function of
    /// the library, that is whether an allocation fails.
    fn given(
        &self,
        target: Variable,
        (source, state): (&HavocSource, &State),
    ) -> Result<Known, Depends> {
        let HavocSource::Input(name) = source else { return Ok(Exactly) };
        if self.called.is_none() || name.contains("nondet") {
            return Ok(Exactly);
        }
        // Nobody knows whether a function without a body returns.
        if name == HavocSource::OUTSIDE {
            return Err(Depends);
        }
        let ty = self.program.variable(target).ty;
        let is_truth = matches!(ty, ScalarType::Int(IntKind { bits: 1, .. }));
        let is_of_library = || state.location().is_some_and(|it| self.is_of_library(it.procedure));
        let is_free = self.told_unknown.is_none() && (is_truth || is_of_library());
        let is_other = name == HavocSource::VOLATILE || WRITERS.contains(&name.as_str());
        Ok(if is_free && !is_other { Exactly } else { Not })
    }

    /// Whether a procedure is a model of a function of the library.
    fn is_of_library(&self, procedure: ProcedureId) -> bool {
        self.program.procedure(procedure).name.contains('$')
    }

    /// The parameters of a call get their arguments.
    fn pass(
        &mut self,
        callee: ProcedureId,
        arguments: &[Expr],
        state: &State,
    ) -> Result<(), Depends> {
        let depth = state.frames().len() + 1;
        let mut most = Exactly;
        for (parameter, argument) in self.program.procedure(callee).parameters.iter().zip(arguments)
        {
            let known = self.known(argument, state)?;
            self.set(*parameter, depth, known);
            most = most.max(known);
        }
        if most != Exactly && self.is_of_library(callee) {
            self.told_unknown = self.told_unknown.or(Some(depth));
        }
        Ok(())
    }

    /// A block is freed.
    fn free(&self, address: &Expr, kind: MemoryKind, state: &State) -> Result<(), Depends> {
        self.followed(address, state)?;
        let Value::Pointer(at) = value(state, address)? else { return Ok(()) };
        let block = state.memory().block(at.block);
        let is_whole = kind == MemoryKind::Heap && block.kind == kind && at.offset == 0;
        let is_gone = block.lifetime == Lifetime::Ended;
        if !self.is_old(at.block) || is_whole || is_gone { Ok(()) } else { Err(Depends) }
    }

    /// The address of a block of its own leaves the function.
    fn give_away(&mut self, (given, ty): (&Expr, Option<ScalarType>), state: &State) {
        if let Ok(Value::Pointer(at)) = value(state, given)
            && !self.is_old(at.block)
        {
            self.gives_oddly |= ty != Some(ScalarType::Pointer) || at.offset != 0;
        }
    }

    /// Whether a block was there before the call.
    fn is_old(&self, block: MemoryBlockId) -> bool {
        self.n_blocks.is_some_and(|n_blocks| block.index() < n_blocks)
    }

    /// Where a variable stands that a call at this depth sees.
    fn slot(&self, variable: Variable, depth: usize) -> Slot {
        let is_local = self.program.variable(variable).owner.is_some();
        (if is_local { depth } else { 0 }, variable)
    }

    fn set(&mut self, variable: Variable, depth: usize, known: Known) {
        let slot = self.slot(variable, depth);
        match known {
            Exactly => _ = self.variables.remove(&slot),
            Address | Not => _ = self.variables.insert(slot, known),
        }
    }

    fn level_of(&self, variable: Variable, state: &State) -> Known {
        let slot = self.slot(variable, state.frames().len());
        self.variables.get(&slot).copied().unwrap_or(Exactly)
    }

    /// How far the value of an expression is known. The recursion is as deep as the expression.
    fn level(&self, expr: &Expr, state: &State) -> Known {
        if self.variables.is_empty() {
            return Exactly;
        }
        match expr {
            Expr::Constant(_) | Expr::Procedure(_) => Exactly,
            Expr::Variable(variable) => self.level_of(*variable, state),
            Expr::Wrap(_, operand) => self.level(operand, state),
            Expr::Unary(_, operand) => match self.level(operand, state) {
                Exactly => Exactly,
                Address | Not => Not,
            },
            Expr::Binary(op, left, right) => {
                let levels = (self.level(left, state), self.level(right, state));
                match (op, levels) {
                    (_, (Exactly, Exactly)) => Exactly,
                    (_, (Not, _) | (_, Not)) => Not,
                    (BinaryOp::Add, (Address, Exactly) | (Exactly, Address))
                    | (BinaryOp::Subtract, (Address, Exactly)) => Address,
                    (BinaryOp::Equal | BinaryOp::NotEqual, (Address, Exactly)) => {
                        self.told_apart(right, state)
                    }
                    (BinaryOp::Equal | BinaryOp::NotEqual, (Exactly, Address)) => {
                        self.told_apart(left, state)
                    }
                    (_, (Address, Address)) if op.is_comparison() => {
                        match are_of_one(left, right, state) {
                            true => Exactly,
                            false => Not,
                        }
                    }
                    _ => Not,
                }
            }
        }
    }

    /// Whether no address that is handed over is this one: null, or of what the function made.
    fn told_apart(&self, other: &Expr, state: &State) -> Known {
        match value(state, other) {
            Ok(Value::Int(0)) => Exactly,
            Ok(Value::Pointer(at)) if !self.is_old(at.block) => Exactly,
            _ => Not,
        }
    }

    /// How far the value of an expression is known that is computed.
    ///
    /// # Errors
    /// When what it is divided or shifted by is not: that decides whether it has a value.
    fn known(&self, expr: &Expr, state: &State) -> Result<Known, Depends> {
        if self.variables.is_empty() {
            return Ok(Exactly);
        }
        let decides = |part: &Expr| match part {
            Expr::Binary(op, _, right) => {
                !op.is_total_with(right) && self.level(right, state) != Exactly
            }
            _ => false,
        };
        if expr.parts().any(decides) { Err(Depends) } else { Ok(self.level(expr, state)) }
    }

    /// A number decides something.
    fn decides(&self, expr: &Expr, state: &State) -> Result<(), Depends> {
        if self.level(expr, state) == Exactly { Ok(()) } else { Err(Depends) }
    }

    /// Whether a condition holds decides something.
    fn tests(&self, condition: &Expr, state: &State) -> Result<(), Depends> {
        if self.known(condition, state)? == Not { Err(Depends) } else { Ok(()) }
    }

    /// An address is followed.
    fn followed(&self, address: &Expr, state: &State) -> Result<(), Depends> {
        if self.level(address, state) == Not { Err(Depends) } else { Ok(()) }
    }

    fn width_of(&self, ty: ScalarType) -> i128 {
        i128::from(ty.bytes(self.program.pointer_bytes))
    }

    /// How many bytes a command is about.
    fn size(&self, size: &Expr, state: &State) -> Result<i128, Depends> {
        self.decides(size, state)?;
        let width = value(state, size)?.as_int().ok_or(Depends)?;
        if (0..=MOST_BYTES).contains(&width) { Ok(width) } else { Err(Depends) }
    }

    /// Where so many bytes are accessed; nothing where that is an error in any case.
    fn accessed(
        &self,
        address: &Expr,
        width: i128,
        state: &State,
    ) -> Result<Option<Pointer>, Depends> {
        self.followed(address, state)?;
        let Value::Pointer(at) = value(state, address)? else { return Ok(None) };
        let block = state.memory().block(at.block);
        if block.lifetime == Lifetime::Ended {
            return Ok(None);
        }
        if 0 <= at.offset && at.offset + width <= block.size {
            return Ok(Some(at));
        }
        // A block without bytes stands for the end of a member.
        let may_be_longer = self.is_old(at.block) && block.kind == MemoryKind::Heap
            || self.called.is_some() && block.size == 0;
        if may_be_longer { Err(Depends) } else { Ok(None) }
    }

    /// How far each of so many bytes from here on is known.
    fn bytes<'s>(
        &'s self,
        from: Pointer,
        width: i128,
        state: &State,
    ) -> impl Iterator<Item = Known> + 's {
        let is_constant = state.memory().block(from.block).kind == MemoryKind::Constant;
        let is_old = self.is_old(from.block) && !is_constant;
        (from.offset..from.offset + width).map(move |offset| {
            let byte = (from.block, offset);
            match is_old && !self.written.contains(&byte) {
                true => Not,
                false => self.received.get(&byte).copied().unwrap_or(Exactly),
            }
        })
    }

    /// Bytes are written by an address that is known so far; where it comes from a caller, it may be that
    /// of any other object of before, and one that has a name may be what a caller hands over.
    fn write(
        &mut self,
        (to, by): (Pointer, Known),
        state: &State,
        known: impl Iterator<Item = Known>,
    ) {
        if self.is_old(to.block) {
            let may_be_it = |block: MemoryBlockId| {
                block != to.block
                    && (by != Exactly || state.memory().block(block).kind == MemoryKind::Heap)
            };
            self.written.retain(|(block, _)| !may_be_it(*block));
        }
        for (offset, known) in (to.offset..).zip(known) {
            let byte = (to.block, offset);
            if self.called.is_some() {
                self.written.insert(byte);
            }
            match known {
                Exactly => _ = self.received.remove(&byte),
                Address | Not => _ = self.received.insert(byte, known),
            }
        }
    }
}

/// Whether two addresses lie in one object.
fn are_of_one(one: &Expr, other: &Expr, state: &State) -> bool {
    let block = |expr| value(state, expr).ok().and_then(Value::as_pointer).map(|it| it.block);
    block(one).is_some_and(|it| block(other) == Some(it))
}

/// The value of an expression that decides something. Where a variable in it has none yet, the run
/// is none that shows anything.
fn value(state: &State, expr: &Expr) -> Result<Value, Depends> {
    state.value_of(expr).ok().flatten().ok_or(Depends)
}
