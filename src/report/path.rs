//! What happens in the run of a counterexample, in order.
//!
//! The run is carried out once more by the interpreter. Beside it goes a note of
//! where each null pointer was made, so that a story can tell where the one that
//! is followed in the end comes from.

use super::arguments::Arguments;
use super::calls::{LibraryCall, LibraryCalls};
use super::choices::{self, Made, Told};
use super::drawing::{BlockNames, draw, name_of};
use super::endless::counted;
use super::run::{Event, EventKind, MAX_EVENTS, Weight, shortened};
use super::unset::{Contents, FROM_CALL, Unset};
use super::{Input, Location};
use base::source::Span;
use concrete::Outcome;
use concrete::interpreter::Interpreter;
use concrete::memory::{Lifetime, MemoryBlockId};
use concrete::state::{Location as CodePlace, State};
use concrete::value::{Arithmetic, Pointer, Value};
use ir::expr::ScalarType;
use ir::{Callee, Command, Expr, MemoryKind, Program, Terminator, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A run that is carried out to tell of it.
pub struct Teller<'a> {
    program: &'a Program,
    interpreter: Interpreter<'a>,
    state: State,
    names: BlockNames,
    origins: Origins,
    events: Vec<Event>,
    /// The block that the last event is about.
    touched: Option<MemoryBlockId>,
    /// Whether the error is that a pointer is followed which was never given a value.
    follows_unset: bool,
    /// The places passed, in order of the source.
    visited: BTreeSet<Location>,
    arguments: Arguments,
    unset: Unset,
    contents: Contents,
    calls: LibraryCalls,
}

/// How far a run is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Until it ends.
    End,
    /// Until nothing points at a heap block any more.
    Lost,
}

/// Where a null pointer was made.
#[derive(Clone)]
struct Origin {
    place: Location,
    /// Whether nothing was written there: the number is just what the run takes it for.
    is_unset: bool,
}

/// Where null pointers were made.
#[derive(Default)]
struct Origins {
    /// By the number of calls (0 for globals) and the variable.
    variables: BTreeMap<(usize, Variable), Origin>,
    cells: BTreeMap<Pointer, Origin>,
}

/// What a command is about to do, as far as it shows only now.
struct Before {
    depth: usize,
    place: Location,
    /// The address that it accesses or frees.
    address: Option<Value>,
    command: Option<Command>,
    terminator: Option<Terminator>,
    /// Whether it reads what nothing was written to.
    reads_unset: bool,
}

impl<'a> Teller<'a> {
    /// The start of the program.
    #[must_use]
    pub fn new(program: &'a Program) -> Self {
        let interpreter = Interpreter::new(program);
        Self {
            program,
            state: interpreter.initial(),
            interpreter,
            names: BlockNames::of_program(program),
            origins: Origins::default(),
            events: Vec::new(),
            touched: None,
            follows_unset: false,
            visited: BTreeSet::new(),
            arguments: Arguments::default(),
            unset: Unset::default(),
            contents: Contents::default(),
            calls: LibraryCalls::default(),
        }
    }

    /// Goes on for so many steps with these choices.
    pub fn run(&mut self, choices: &[i128], n_steps: u64) {
        self.run_until(Until::End, choices, n_steps);
    }

    /// Goes on until that happens, for so many steps at most, with these choices.
    pub fn run_until(&mut self, until: Until, choices: &[i128], n_steps: u64) {
        let mut source = Told { values: choices.iter(), made: Vec::new(), reads_unset: false };
        for _ in 0..n_steps {
            let mut before = self.before();
            self.visited.insert(before.place.clone());
            self.tell_unset(&before);
            let outcome = self.interpreter.step(&mut self.state, &mut source);
            before.reads_unset = std::mem::take(&mut source.reads_unset);
            for made in source.made.drain(..) {
                self.note_choice(made, &before);
            }
            self.calls.stepped(self.program, &self.state);
            if outcome != Outcome::Running {
                self.touched =
                    before.address.and_then(Value::as_pointer).map(|pointer| pointer.block);
                self.tell_null(&before, &outcome);
                return;
            }
            self.after(&before);
            if until == Until::Lost && self.has_lost() {
                return;
            }
        }
    }

    /// Notes a choice, and tells of it if it can be told.
    fn note_choice(&mut self, made: Made, before: &Before) {
        let Made { message, input, number, what } = made;
        let target = before.command.as_ref().and_then(Command::target);
        let declared = target.filter(|_| what == choices::Unset::Declared);
        let name = match what {
            choices::Unset::No => None,
            choices::Unset::Declared => declared
                .map(|it| &self.program.variable(it).name)
                .filter(|name| !name.contains('$'))
                .map(|name| format!("`{name}` without a value")),
            choices::Unset::Memory => self.name_of_read(before),
        };
        let message = match (&name, message) {
            (Some(name), Some(_)) => Some(format!("{name} is read as {number}")),
            (_, message) => message,
        };
        let at = before.address.and_then(Value::as_pointer);
        if let (Some(Command::Load { ty, .. }), Some(at)) = (&before.command, at) {
            self.contents.read(at, number, ty.bytes(self.program.pointer_bytes));
        }
        self.unset.chosen(declared.map(|it| self.key(it, before.depth)), name);
        self.calls.chosen();
        let chosen = (input.as_deref(), number);
        let is_part = self.arguments.note(chosen, before.address, &before.place);
        if let Some(message) = message.filter(|_| !is_part) {
            self.events.push(self.event(EventKind::Input, message, &before.place, Weight::Main));
        }
    }

    /// What a person calls the memory that is read, and who has put there what stands there.
    fn name_of_read(&self, before: &Before) -> Option<String> {
        let at = before.address.and_then(Value::as_pointer)?;
        let Some(Command::Load { ty, .. }) = &before.command else { return None };
        let name = name_of(self.program, &self.state, &self.names, (at, *ty))?;
        Some(match self.contents.call(at) {
            Some(call) => format!("`{name}{FROM_CALL}{}`", self.calls.name(call)),
            None => format!("`{name}` without a value"),
        })
    }

    /// Notes what is read and written of variables that were declared without a value, and tells
    /// of the first look at one.
    fn tell_unset(&mut self, before: &Before) {
        let command = before.command.iter().flat_map(Command::variables_read);
        let terminator = before.terminator.iter().flat_map(Terminator::variables_read);
        let read: Vec<Variable> = command.chain(terminator).collect();
        for variable in read {
            self.calls.reads(before.depth, variable);
            if !self.unset.reads(self.key(variable, before.depth)) {
                continue;
            }
            let name = &self.program.variable(variable).name;
            if let (Some(Value::Int(number)), false) =
                (self.state.value(variable), name.contains('$'))
            {
                let message = format!("`{name}` is read without a value, as {number}");
                let event = self.event(EventKind::Input, message, &before.place, Weight::Main);
                self.events.push(event);
            }
        }
        if let Some(target) = before.command.as_ref().and_then(Command::target) {
            self.unset.writes(self.key(target, before.depth));
        }
    }

    /// Ends the story, with the error or the cycle.
    #[must_use]
    pub fn finish(
        mut self,
        kind: EventKind,
        message: String,
        place: Option<Location>,
    ) -> Vec<Event> {
        let place = place.unwrap_or_else(|| self.place());
        self.note(kind, message, place);
        let started = self.started_with();
        if let Some(Input { location, .. }) = started.first() {
            let given: Vec<String> =
                started.iter().map(|it| format!("`{}` is {}", it.name, it.value)).collect();
            let event = self.event(EventKind::Input, given.join(", "), location, Weight::Main);
            self.events.insert(0, event);
        }
        shortened(self.events)
    }

    /// Puts an event between those of the run.
    pub fn note(&mut self, kind: EventKind, message: String, place: Location) {
        let mut event = self.event(kind, message, &place, Weight::Main);
        let lost = if kind == EventKind::Error { self.state.leaked() } else { Vec::new() };
        let also: Vec<MemoryBlockId> = self.touched.into_iter().chain(lost).collect();
        event.heap = Some(draw(self.program, &self.state, &self.names, &also));
        self.events.push(event);
    }

    /// What calls of the library have put into memory, by their names and in order.
    pub(super) fn bytes_given(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.contents.given().map(|(call, bytes)| (self.calls.name(call), bytes))
    }

    /// The texts that the program is started with, as inputs.
    #[must_use]
    pub fn started_with(&self) -> Vec<Input> {
        self.arguments.inputs()
    }

    /// Whether a choice so far is nothing to tell of: it is part of these texts, or nothing has
    /// read it.
    #[must_use]
    pub fn is_hidden(&self, choice: usize) -> bool {
        let is_part = self.arguments.parts().get(choice).copied().unwrap_or(false);
        is_part || !self.unset.is_read(choice)
    }

    /// The call of a library function that a choice is made in, and its number.
    pub(super) fn call_of_choice(&self, choice: usize) -> Option<(usize, &LibraryCall)> {
        self.calls.of_choice(choice)
    }

    /// What a choice is of, where that is something in memory, or a variable without a value.
    #[must_use]
    pub fn name_of_unset(&self, choice: usize) -> Option<&str> {
        self.unset.name(choice)
    }

    /// Whether a choice is of what a call of the library has put into memory.
    pub(super) fn is_from_call(&self, choice: usize) -> bool {
        self.name_of_unset(choice).is_some_and(|it| it.contains(FROM_CALL))
    }

    /// The places passed since the last time that this was asked.
    pub fn take_visited(&mut self) -> Vec<Location> {
        std::mem::take(&mut self.visited).into_iter().collect()
    }

    /// Whether the error is that a pointer is followed which was never given a value.
    #[must_use]
    pub fn follows_unset(&self) -> bool {
        self.follows_unset
    }

    /// What a block is called, and what was done to it.
    #[must_use]
    pub fn name_of_touched(&self) -> Option<(&str, i128)> {
        let id = self.touched?;
        Some((self.names.get(id)?, self.state.memory().block(id).size))
    }

    /// Says which events are about the block of the error.
    pub fn stress(&mut self, block: Option<MemoryBlockId>) {
        let Some(name) = block.or(self.touched).and_then(|id| self.names.get(id)) else { return };
        let mention = format!("{name} ");
        for event in &mut self.events {
            let is_about = matches!(event.kind, EventKind::Allocated | EventKind::Freed) && {
                let text = format!("{} ", event.message);
                text.contains(&mention)
            };
            if is_about {
                event.weight = Weight::Main;
            }
        }
    }

    /// Whether a heap block is lost for good. The pieces of an address may come together again.
    fn has_lost(&self) -> bool {
        self.lost().is_some() && !self.state.memory().has_split_addresses()
    }

    /// The first heap block that is lost.
    #[must_use]
    pub fn lost(&self) -> Option<MemoryBlockId> {
        self.state.leaked().first().copied()
    }

    /// The first heap block that is not freed.
    #[must_use]
    pub fn unfreed(&self) -> Option<MemoryBlockId> {
        self.state.unfreed().first().copied()
    }

    fn event(&self, kind: EventKind, message: String, place: &Location, weight: Weight) -> Event {
        Event { kind, message, location: place.clone(), weight, heap: None }
    }

    fn before(&self) -> Before {
        let depth = self.state.frames().len();
        let mut before = Before {
            depth,
            place: self.place(),
            address: None,
            command: None,
            terminator: None,
            reads_unset: false,
        };
        let Some(code) = self.state.location() else { return before };
        let procedure = self.program.procedure(code.procedure);
        let Some(block) = procedure.blocks.get(code.block.index()) else { return before };
        match block.commands.get(code.command) {
            Some(instruction) => {
                before.address = accessed(&instruction.command).and_then(|it| self.value(it));
                before.command = Some(instruction.command.clone());
            }
            None => before.terminator = Some(block.terminator.clone()),
        }
        before
    }

    /// The place that the user wrote: of the innermost call that is not in wane's
    /// own library.
    fn place(&self) -> Location {
        let frames = self.state.frames().iter().rev();
        let spans = frames.enumerate().map(|(index, frame)| {
            let CodePlace { procedure, block, command } = frame.location();
            let block = self.program.procedure(procedure).blocks.get(block.index());
            // Outer calls stand behind their call.
            let command = if index == 0 { command } else { command.saturating_sub(1) };
            block.map_or(Span::NOWHERE, |it| it.commands.get(command).map_or(it.span, |at| at.span))
        });
        let mut places = spans
            .filter(|span| span.is_somewhere())
            .map(|span| Location::of_span(span, &self.program.sources));
        let place = places.find(|place| !place.file.starts_with('<'));
        let file = self.program.sources.files.first();
        place.unwrap_or_else(|| Location::of_file(file.map_or("", String::as_str)))
    }

    /// The value of an expression, if nothing must be chosen for it.
    fn value(&self, expr: &Expr) -> Option<Value> {
        let arithmetic = Arithmetic::of(self.state.memory());
        match expr {
            Expr::Constant(number) => Some(Value::Int(*number)),
            Expr::Variable(variable) => self.state.value(*variable),
            Expr::Procedure(id) => Some(Value::Procedure(*id)),
            Expr::Unary(op, operand) => arithmetic.unary(*op, self.value(operand)?).ok(),
            Expr::Binary(op, left, right) => {
                arithmetic.binary(*op, self.value(left)?, self.value(right)?).ok()
            }
            Expr::Wrap(kind, operand) => arithmetic.wrap(*kind, self.value(operand)?).ok(),
        }
    }

    fn after(&mut self, before: &Before) {
        if let Some(command) = &before.command {
            self.note_contents(command);
            self.tell(command, before);
            self.follow(command, before);
        } else if let Some(Terminator::Return(value)) = &before.terminator {
            self.follow_return(value.as_ref(), before);
        }
    }

    /// Notes what a call of the library puts into memory.
    fn note_contents(&mut self, command: &Command) {
        match (command, self.calls.current()) {
            (Command::Allocate { kind, .. }, Some(call)) if *kind != MemoryKind::Heap => {
                let id = MemoryBlockId::at(self.state.memory().n_blocks().saturating_sub(1));
                self.contents.made(id, self.state.memory().block(id).size, call);
            }
            (Command::Copy { target, source, size, .. }, _) => {
                let pointer = |it: &Expr| self.value(it)?.as_pointer();
                let size = self.value(size).and_then(Value::as_int);
                if let (Some(target), Some(source), Some(size)) =
                    (pointer(target), pointer(source), size)
                {
                    self.contents.copied(target, source, size);
                }
            }
            _ => {}
        }
    }

    /// The event of a command, if it is one.
    fn tell(&mut self, command: &Command, before: &Before) {
        match command {
            Command::Allocate { kind: MemoryKind::Heap, .. } => {
                let id = MemoryBlockId::at(self.state.memory().n_blocks().saturating_sub(1));
                let size = self.state.memory().block(id).size;
                let size = counted(size, "byte");
                let message = format!("{} of {size} is allocated", self.names.add(id));
                self.push(EventKind::Allocated, message, before, Weight::Minor);
            }
            Command::Free { kind: MemoryKind::Heap, .. } => {
                let freed = before.address.and_then(Value::as_pointer).map(|it| it.block);
                let is_gone =
                    |id: &MemoryBlockId| self.state.memory().block(*id).lifetime == Lifetime::Ended;
                if let Some(name) = freed.filter(is_gone).and_then(|id| self.names.get(id)) {
                    let message = format!("{name} is freed");
                    self.push(EventKind::Freed, message, before, Weight::Minor);
                }
            }
            Command::Call { target, .. } => {
                let now = (self.program, &self.state);
                self.calls.begun(now, (before.depth, *target), &before.place);
                self.arguments.look(self.program, &self.state);
                let callee = self.state.location().map(|it| self.program.procedure(it.procedure));
                let Some(callee) = callee else { return };
                let is_users = callee.span.is_somewhere() && !callee.is_of_library();
                if is_users && before.depth > 1 {
                    let message = format!("`{}` is called", callee.name);
                    self.push(EventKind::Call, message, before, Weight::Minor);
                }
            }
            Command::Allocate { .. }
            | Command::Measure { .. }
            | Command::Free { .. }
            | Command::Assign { .. }
            | Command::Havoc { .. }
            | Command::Load { .. }
            | Command::Store { .. }
            | Command::Fill { .. }
            | Command::Copy { .. }
            | Command::Assume { .. }
            | Command::Error { .. }
            | Command::Unsupported { .. } => {}
        }
    }

    fn push(&mut self, kind: EventKind, message: String, before: &Before, weight: Weight) {
        let mut event = self.event(kind, message, &before.place, weight);
        if self.events.len() < MAX_EVENTS && kind != EventKind::Call {
            event.heap = Some(draw(self.program, &self.state, &self.names, &[]));
        }
        self.events.push(event);
    }

    /// Notes where nulls are made and copied to.
    fn follow(&mut self, command: &Command, before: &Before) {
        match command {
            Command::Assign { target, value } => {
                let origin = self.origin(value, before);
                self.set(*target, before.depth, origin);
            }
            Command::Havoc { target, .. } => {
                self.set(*target, before.depth, before.origin());
            }
            Command::Load { target, .. } => {
                let cell = before.address.and_then(Value::as_pointer);
                let origin = cell.and_then(|cell| self.origins.cells.get(&cell).cloned());
                let zeroed = cell.map(|cell| {
                    let span = self.state.memory().block(cell.block).allocated_at;
                    Location::of_span(span, &self.program.sources)
                });
                let is_known = |it: &Location| it.line.is_some() && !it.file.starts_with('<');
                let is_unset = before.reads_unset;
                let zeroed = zeroed.filter(is_known).map(|place| Origin { place, is_unset });
                let origin = origin.filter(|_| !is_unset).or(zeroed);
                self.set(*target, before.depth, origin.unwrap_or_else(|| before.origin()));
            }
            Command::Store { value, ty: ScalarType::Pointer, .. } => {
                let origin = self.origin(value, before);
                if let Some(cell) = before.address.and_then(Value::as_pointer) {
                    self.origins.cells.insert(cell, origin);
                }
            }
            Command::Call { callee, arguments, .. } => {
                let Some(callee) = self.callee(callee) else { return };
                for (parameter, argument) in callee.into_iter().zip(arguments) {
                    let origin = self.origin(argument, before);
                    self.origins.variables.insert((before.depth + 1, parameter), origin);
                }
            }
            Command::Store { .. }
            | Command::Allocate { .. }
            | Command::Measure { .. }
            | Command::Free { .. }
            | Command::Fill { .. }
            | Command::Copy { .. }
            | Command::Assume { .. }
            | Command::Error { .. }
            | Command::Unsupported { .. } => {}
        }
    }

    /// The parameters of the procedure that was just entered.
    fn callee(&self, _: &Callee) -> Option<Vec<Variable>> {
        let place = self.state.location()?;
        Some(self.program.procedure(place.procedure).parameters.clone())
    }

    fn follow_return(&mut self, value: Option<&Expr>, before: &Before) {
        let origin = value.map(|value| self.origin(value, before));
        // The call that stands before the place where the caller goes on.
        let target = self.state.location().and_then(|place| {
            let block = self.program.procedure(place.procedure).blocks.get(place.block.index())?;
            block.commands.get(place.command.checked_sub(1)?)?.command.target()
        });
        if let (Some(target), Some(origin)) = (target, origin) {
            self.set(target, before.depth.saturating_sub(1), origin);
        }
    }

    fn set(&mut self, target: Variable, depth: usize, origin: Origin) {
        let key = self.key(target, depth);
        self.origins.variables.insert(key, origin);
    }

    fn key(&self, variable: Variable, depth: usize) -> (usize, Variable) {
        let is_global = self.program.variable(variable).owner.is_none();
        (if is_global { 0 } else { depth }, variable)
    }

    /// Where the value of an expression was made: at the variable that it copies, or
    /// here.
    fn origin(&self, value: &Expr, before: &Before) -> Origin {
        let origin = base(value).map(|variable| self.key(variable, before.depth));
        let origin = origin.and_then(|key| self.origins.variables.get(&key).cloned());
        origin.unwrap_or_else(|| before.origin())
    }

    /// Where the null that is followed comes from.
    fn tell_null(&mut self, before: &Before, outcome: &Outcome) {
        use concrete::MemoryErrorKind::NullDereference;
        let Outcome::MemoryError { kind: NullDereference, .. } = outcome else { return };
        let address = before.command.as_ref().and_then(accessed);
        let Some(address) = address.filter(|it| base(it).is_some()) else { return };
        let origin = self.origin(address, before);
        self.follows_unset = origin.is_unset;
        if origin.place == before.place {
            return;
        }
        let message = match origin.is_unset {
            true => "the pointer is made here, without a value",
            false => "the null pointer comes from here",
        };
        let event = self.event(EventKind::Null, message.to_owned(), &origin.place, Weight::Main);
        self.events.push(event);
    }
}

impl Before {
    /// What is made here.
    fn origin(&self) -> Origin {
        Origin { place: self.place.clone(), is_unset: self.reads_unset }
    }
}

/// The variable that an address is computed from.
fn base(expr: &Expr) -> Option<Variable> {
    match expr {
        Expr::Variable(variable) => Some(*variable),
        Expr::Wrap(_, operand) => base(operand),
        Expr::Binary(ir::BinaryOp::Add | ir::BinaryOp::Subtract, left, _) => base(left),
        Expr::Constant(_) | Expr::Procedure(_) | Expr::Unary(..) | Expr::Binary(..) => None,
    }
}

/// The address that a command accesses or frees.
fn accessed(command: &Command) -> Option<&Expr> {
    match command {
        Command::Load { address, .. }
        | Command::Store { address, .. }
        | Command::Measure { address, .. }
        | Command::Free { address, .. }
        | Command::Fill { address, .. } => Some(address),
        Command::Copy { target, .. } => Some(target),
        Command::Call { callee: Callee::Indirect(address), .. } => Some(address),
        Command::Call { .. }
        | Command::Assign { .. }
        | Command::Havoc { .. }
        | Command::Allocate { .. }
        | Command::Assume { .. }
        | Command::Error { .. }
        | Command::Unsupported { .. } => None,
    }
}
