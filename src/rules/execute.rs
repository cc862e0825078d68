//! Symbolic execution: one rule a command (CAV'06 §3, after APLAS'05).

use super::Semantics;
use super::arbitrary::any_in_range;
use super::copying::Source;
use super::eval::{Assumption, Context};
use super::rearrange::Exposed;
use super::rows::{self, Stored};
use super::strides::stride_of;
use super::{copying, memory};
use evidence::alarm::AlarmKind;
use heap::facts::Sat;
use heap::state::{Kind, State};
use heap::{Atom, Block, Cell, Content, Region};
use ir::links::Sort;
use ir::slice::relevance::Memory;
use ir::{
    Command, Expr, Gap, HavocSource, InitialContent, MemoryKind, Overlap, ScalarType, Variable,
};
use logic::{Constraint, Integer, LinearExpr, Var};
use obligation::Inputs;
use smallvec::SmallVec;

impl Context<'_> {
    /// The states after a command that is not a call.
    pub fn execute(&mut self, state: State, command: &Command) -> Vec<State> {
        let pointer_bytes = self.machine.program.pointer_bytes;
        if *self.machine.approach.ignored() == Memory::Everything && command.is_about_memory() {
            return self.execute_on_numbers(state, command);
        }
        match command {
            // {Q} x := E {∃x'. x = E[x'/x] * Q[x'/x]}
            Command::Assign { target, value } => {
                let ty = self.machine.program.variable(*target).ty;
                let values = self.values_as(state, ty, value);
                values
                    .into_iter()
                    .map(|(mut state, value)| {
                        self.write(&mut state, *target, value);
                        state
                    })
                    .collect()
            }
            // {Q} x := * {∃x'. Q[x'/x]}
            Command::Havoc { target, source } => vec![self.havoc(state, *target, source)],
            // {Q * E ↦ F} x := [E] {∃x'. x = F[x'/x] * (Q * E ↦ F)[x'/x]}
            // Where it is not known what is at E, and taken for granted that something is: any value.
            Command::Load { target, address, ty } => {
                let width = LinearExpr::from(i64::from(ty.bytes(pointer_bytes)));
                let (exposed, elsewhere) = self.expose_to_read(state, address, &width);
                let stride = stride_of(self.machine.program, address);
                let mut after = self.read_anything(elsewhere, *target, *ty);
                let known = exposed
                    .into_iter()
                    .map(|exposed| rows::open_to_read(exposed, *ty, stride))
                    .flat_map(|exposed| rows::by_rows(exposed, *ty, self.machine.shape_library))
                    .flat_map(|exposed| memory::by_floating(exposed, *ty, pointer_bytes))
                    .map(|(mut exposed, known)| {
                        if known.is_none() && memory::is_no_truth(&exposed, *ty, pointer_bytes) {
                            let what = "a truth value that may be neither 0 nor 1";
                            self.alarm(AlarmKind::Unsupported(what.to_owned()));
                        }
                        let value =
                            known.unwrap_or_else(|| memory::load(&mut exposed, *ty, pointer_bytes));
                        self.machine.bound(&mut exposed.state, *ty, &value);
                        self.write(&mut exposed.state, *target, value);
                        exposed.state
                    });
                after.extend(known);
                after
            }
            // {Q * E ↦ _} [E] := F {Q * E ↦ F}
            Command::Store { address, value, ty } => {
                let width = LinearExpr::from(i64::from(ty.bytes(pointer_bytes)));
                self.after_exposing(state, address, &width, |context, mut exposed| {
                    let stride = context.bytes_of_elements(&exposed, address);
                    let stored = match value {
                        Expr::Constant(0) => Stored::Null,
                        _ => Stored::Other,
                    };
                    rows::open(&mut exposed, (*ty, stored), stride);
                    let cases = rows::by_rows(exposed, *ty, context.machine.shape_library);
                    let cases = cases.into_iter();
                    cases
                        .flat_map(|it| context.store((it, address), value, (*ty, stride)))
                        .collect()
                })
            }
            // {Q} x := new(E) {∃x'. Q[x'/x] * x ↦ _}
            Command::Allocate { target, size, kind, content } => {
                self.allocate(state, *target, size, (*kind, *content))
            }
            // {Q * E ↦ F} x := size(E) {∃x'. x = n * (Q * E ↦ F)[x'/x]}, n the bytes of E's block
            Command::Measure { target, address } => self.measure(state, *target, address),
            // {Q * E ↦ _} dispose(E) {Q}
            Command::Free { address, kind } => self.free(state, address, *kind),
            Command::Fill { address, byte, size } => self.fill(state, address, byte, size),
            Command::Copy { target, source, size, overlap } => {
                self.copy(state, [target, source], size, *overlap)
            }
            // {Q} assume(B) {B & Q}
            Command::Assume { condition } => match command.range_assumed() {
                Some((value, kind)) => self.assume_in_range(state, value, kind),
                None => self.assume(state, condition),
            },
            // The run ends here.
            Command::Error { what } => {
                self.alarm(AlarmKind::ErrorReached(what.clone()));
                Vec::new()
            }
            Command::Unsupported { what, gap } => self.meet(state, what, gap),
            Command::Call { .. } => vec![state],
        }
    }

    /// What is read is in the range of its type, where that is said of inputs.
    fn havoc(&mut self, mut state: State, target: Variable, source: &HavocSource) -> State {
        let ty = self.machine.program.variable(target).ty;
        let value = match (self.machine.inputs, source, ty) {
            (Inputs::OfType, HavocSource::Input(_), ScalarType::Int(kind)) => {
                any_in_range(&mut state, kind)
            }
            _ => self.machine.any_value(&mut state, ty),
        };
        self.write(&mut state, target, value);
        state
    }

    /// Exposes an address to be written, then lets `act` finish, which may evaluate
    /// more.
    fn after_exposing(
        &mut self,
        state: State,
        address: &Expr,
        width: &LinearExpr,
        mut act: impl FnMut(&mut Self, Exposed) -> Vec<State>,
    ) -> Vec<State> {
        let exposed = self.expose_bytes(state, address, width);
        let mut after = Vec::new();
        for exposed in exposed {
            if self.writable(&exposed) {
                after.extend(act(self, exposed));
            }
        }
        after
    }

    /// How many bytes the elements have in which an address lies: the structures of a row that its
    /// pointer walks along, or what its indices count.
    fn bytes_of_elements(&self, exposed: &Exposed, address: &Expr) -> Option<i64> {
        let structure = || {
            let mut walking = address.variables().filter_map(|it| self.machine.walks.get(&it));
            let bytes = *walking.next()?;
            let Atom::Block(block) = &exposed.state.heap.atoms[exposed.block] else { return None };
            let more = LinearExpr::from(bytes + 1).sub(&block.size);
            exposed.state.surely_at_most_zero(&more).then_some(bytes)
        };
        structure().or_else(|| stride_of(self.machine.program, address))
    }

    fn store(
        &mut self,
        (exposed, address): (Exposed, &Expr),
        value: &Expr,
        (ty, stride): (ScalarType, Option<i64>),
    ) -> Vec<State> {
        let pointer_bytes = self.machine.program.pointer_bytes;
        let Exposed { state, block, offset } = exposed;
        self.values_as(state, ty, value)
            .into_iter()
            .map(|(state, value)| {
                let mut exposed = Exposed { state, block, offset: offset.clone() };
                let before = self.before_store(&exposed, (ty, &value), address);
                memory::store(&mut exposed, (ty, value), stride, pointer_bytes);
                self.note_overwritten(&exposed.state, &before);
                exposed.state
            })
            .collect()
    }

    pub(super) fn allocate(
        &mut self,
        state: State,
        target: Variable,
        size: &Expr,
        what: (MemoryKind, InitialContent),
    ) -> Vec<State> {
        let sort = self.sort.unwrap_or_else(|| self.machine.approach.names.sort_of(target));
        let sized = self.values(state, size);
        sized
            .into_iter()
            .filter_map(|(mut state, size)| {
                if !state.surely_at_most_zero(&size.neg()) {
                    self.undefined(AlarmKind::NegativeAllocation);
                    if state.assume_at_most_zero(&size.neg()).is_empty() {
                        return None;
                    }
                }
                let base = state.fresh(Kind::Address);
                let block = Block {
                    base,
                    size,
                    region: region(what.0, &state, sort),
                    content: match what.1 {
                        InitialContent::Arbitrary => Content::Arbitrary,
                        InitialContent::Zero => Content::Zero,
                    },
                    cells: SmallVec::new(),
                    floating: None,
                    recent: Vec::new(),
                    segment: None,
                    rows: Vec::new(),
                };
                let block = self.with_null_links(block);
                state.heap.atoms.push(Atom::Block(block));
                self.write(&mut state, target, base.into());
                Some(state)
            })
            .collect()
    }

    /// Gives names to the null pointers in a node of zeros, at the fields that hold addresses
    /// elsewhere: what is known of other nodes' fields is said of these.
    fn with_null_links(&self, mut block: Block) -> Block {
        let size = block.size.as_constant().and_then(Integer::to_i128);
        let Some(size) = size.and_then(|it| i64::try_from(it).ok()) else { return block };
        let is_heap = block.region.kind == MemoryKind::Heap;
        if !is_heap || block.content != Content::Zero || !block.cells.is_empty() {
            return block;
        }
        let pointer_bytes = self.machine.program.pointer_bytes;
        for offset in self.machine.approach.names.pointers_of((block.region.sort, size)) {
            let null = Cell { offset, ty: ScalarType::Pointer, value: LinearExpr::zero() };
            let end = offset.checked_add(i64::from(pointer_bytes));
            let is_within = offset >= 0 && end.is_some_and(|end| end <= size);
            if is_within && block.cells.iter().all(|cell| !cell.overlaps(&null)) {
                block.name(null);
            }
        }
        block
    }

    /// `free(null)` does nothing; else the address is the start of a live block
    /// of its kind.
    fn free(&mut self, state: State, address: &Expr, kind: MemoryKind) -> Vec<State> {
        if kind == MemoryKind::Constant {
            return self.seal(state, address);
        }
        if kind == MemoryKind::Any {
            return self.take_away(state, address);
        }
        let [mut after, live] = self.null_or_not(state, address);
        if kind != MemoryKind::Heap {
            after.clear();
        }
        for mut exposed in self.starts_of_blocks(live, address, kind) {
            exposed.state.take_block(exposed.block);
            after.push(exposed.state);
        }
        after
    }

    /// Whatever block the address points into is there no more.
    fn take_away(&mut self, state: State, address: &Expr) -> Vec<State> {
        let mut after = Vec::new();
        for mut exposed in self.expose(state, address) {
            exposed.state.take_block(exposed.block);
            after.push(exposed.state);
        }
        after
    }

    /// Null has size 0; else the address is the start of a live heap block.
    fn measure(&mut self, state: State, target: Variable, address: &Expr) -> Vec<State> {
        let [mut after, live] = self.null_or_not(state, address);
        for state in &mut after {
            self.write(state, target, LinearExpr::zero());
        }
        for Exposed { mut state, block, .. } in
            self.starts_of_blocks(live, address, MemoryKind::Heap)
        {
            let Atom::Block(found) = &state.heap.atoms[block] else { continue };
            let size = found.size.clone();
            self.write(&mut state, target, size);
            after.push(state);
        }
        after
    }

    /// The states in which an address is null, and those in which it is not.
    fn null_or_not(&mut self, state: State, address: &Expr) -> [Vec<State>; 2] {
        let [mut null, mut other] = [Vec::new(), Vec::new()];
        for (state, value) in self.values(state, address) {
            let mut is_null = state.clone();
            let mut is_some = state;
            if !Assumption::Zero(value.clone()).apply(&mut is_null).is_empty() {
                null.push(is_null);
            }
            if Assumption::NonZero(value).apply(&mut is_some) == Sat::Maybe {
                other.push(is_some);
            }
        }
        [null, other]
    }

    /// The states in which the address is exposed as the start of a live block of a kind.
    /// Others are invalid frees.
    fn starts_of_blocks(
        &mut self,
        states: Vec<State>,
        address: &Expr,
        kind: MemoryKind,
    ) -> Vec<Exposed> {
        let mut starts = Vec::new();
        for state in states {
            for mut exposed in self.expose_for_free(state, address) {
                let fits = matches!(&exposed.state.heap.atoms[exposed.block],
                    Atom::Block(block) if block.region.kind == kind);
                if fits && exposed.state.surely_zero(&exposed.offset) {
                    starts.push(exposed);
                    continue;
                }
                self.undefined(AlarmKind::InvalidFree);
                let at_start = Constraint::zero(exposed.offset.clone());
                let may_start = fits && self.takes_for_granted();
                if may_start && !exposed.state.assume_constraint(at_start).is_empty() {
                    starts.push(exposed);
                }
            }
        }
        starts
    }

    /// From here on the block at the address is constant.
    fn seal(&mut self, state: State, address: &Expr) -> Vec<State> {
        let exposed = self.expose(state, address).into_iter();
        exposed
            .map(|mut exposed| {
                if let Atom::Block(block) = &mut exposed.state.heap.atoms[exposed.block] {
                    block.region.kind = MemoryKind::Constant;
                }
                exposed.state
            })
            .collect()
    }

    /// Nobody knows how a run goes on, unless something is only taken for granted.
    fn meet(&mut self, state: State, what: &str, gap: &Gap) -> Vec<State> {
        match gap {
            Gap::NotModelled | Gap::Contents | Gap::Handed(_) => {
                self.alarm(AlarmKind::Unsupported(what.to_owned()));
            }
            Gap::Undefined => self.undefined(AlarmKind::Undefined(what.to_owned())),
            Gap::Granted(grant) => {
                self.undefined(AlarmKind::Granted(*grant));
                return vec![state];
            }
        }
        Vec::new()
    }

    /// A block that may be written. That it is constant is an alarm, and that part of
    /// the state is given up.
    fn writable(&mut self, exposed: &Exposed) -> bool {
        let is_constant = matches!(&exposed.state.heap.atoms[exposed.block],
            Atom::Block(block) if block.region.kind == MemoryKind::Constant);
        if is_constant {
            self.undefined(AlarmKind::ConstantWrite);
        }
        !is_constant
    }

    /// As [`Self::expose`]; what cannot be exposed is an invalid free.
    fn expose_for_free(&mut self, state: State, address: &Expr) -> Vec<Exposed> {
        let [n_alarms, n_assumed] = [self.alarms.len(), self.assumed.len()];
        let exposed = self.expose(state, address);
        let new = self.alarms[n_alarms..].iter_mut().chain(&mut self.assumed[n_assumed..]);
        for alarm in new {
            if matches!(alarm.kind, AlarmKind::WildDereference | AlarmKind::NullDereference) {
                alarm.kind = AlarmKind::InvalidFree;
            }
        }
        exposed
    }

    fn fill(&mut self, state: State, address: &Expr, byte: &Expr, size: &Expr) -> Vec<State> {
        let pointer_bytes = self.machine.program.pointer_bytes;
        let mut after = Vec::new();
        for (state, size) in self.values(state, size) {
            if state.surely_zero(&size) {
                after.push(state);
                continue;
            }
            after.extend(self.after_exposing(state, address, &size, |context, exposed| {
                let Exposed { state, block, offset } = exposed;
                let values = context.values(state, byte);
                values
                    .into_iter()
                    .map(|(state, byte)| {
                        let mut exposed = Exposed { state, block, offset: offset.clone() };
                        memory::fill(&mut exposed, &byte, &size, pointer_bytes);
                        if let Atom::Block(filled) = &mut exposed.state.heap.atoms[block] {
                            *filled = context.with_null_links(filled.clone());
                        }
                        exposed.state
                    })
                    .collect()
            }));
        }
        after
    }

    fn copy(
        &mut self,
        state: State,
        [target, source]: [&Expr; 2],
        size: &Expr,
        overlap: Overlap,
    ) -> Vec<State> {
        let pointer_bytes = self.machine.program.pointer_bytes;
        let mut after = Vec::new();
        for (state, size) in self.values(state, size) {
            if state.surely_zero(&size) {
                after.push(state);
                continue;
            }
            // The target is exposed first; exposing the source may unfold but
            // never fold, so the target stays exposed.
            for first in self.expose_bytes(state, target, &size) {
                if !self.writable(&first) {
                    continue;
                }
                let (known, elsewhere) = self.expose_to_read(first.state, source, &size);
                for state in elsewhere {
                    for mut to in self.expose(state, target) {
                        memory::forget_range(&mut to, &size, pointer_bytes);
                        after.push(to.state);
                    }
                }
                for from in known {
                    let fate = match self.given_up == Some(source) {
                        true => Source::IsGivenUp,
                        false => Source::Stays,
                    };
                    let copied = copying::bytes_in_range(&from, &size, fate, pointer_bytes);
                    let (base, start) = (base_of(&from), from.offset);
                    for mut to in self.expose(from.state, target) {
                        let is_apart = overlap == Overlap::Allowed
                            || base_of(&to) != base
                            || surely_apart(&to, &start, &size);
                        if !is_apart {
                            let what = "a copy between bytes that overlap";
                            self.undefined(AlarmKind::Undefined(what.to_owned()));
                        }
                        copying::paste(&mut to, copied.clone(), &size, pointer_bytes);
                        after.push(to.state);
                    }
                }
            }
        }
        after
    }
}

/// Where the exposed block starts.
fn base_of(exposed: &Exposed) -> Option<Var> {
    match &exposed.state.heap.atoms[exposed.block] {
        Atom::Block(block) => Some(block.base),
        Atom::Instance(_) => None,
    }
}

/// Whether `size` bytes at the exposed address and as many at `start` in the same block
/// surely are the same ones or have none in common: elements of one array are so.
fn surely_apart(exposed: &Exposed, start: &LinearExpr, size: &LinearExpr) -> bool {
    let distance = exposed.offset.sub(start);
    let whole = size.as_constant().is_some_and(|size| distance.div_exact(size).is_some());
    whole
        || exposed.state.surely_zero(&distance)
        || exposed.state.surely_at_most_zero(&size.sub(&distance))
        || exposed.state.surely_at_most_zero(&size.add(&distance))
}

/// Whose memory a new block is.
fn region(kind: MemoryKind, state: &State, sort: Sort) -> Region {
    let frame = match kind {
        MemoryKind::Stack | MemoryKind::Alloca => state.frame_depth(),
        MemoryKind::Heap
        | MemoryKind::Static
        | MemoryKind::Stream
        | MemoryKind::Constant
        | MemoryKind::Any => 0,
    };
    Region { kind, frame, sort }
}

/// Leaves the innermost frame: its store and its memory end.
pub fn leave_frame(state: &mut State) {
    let depth = state.frame_depth();
    let of_frame = |region: &Region| {
        matches!(region.kind, MemoryKind::Stack | MemoryKind::Alloca) && region.frame == depth
    };
    let is_left = |atom: &Atom| match atom {
        Atom::Block(block) => of_frame(&block.region),
        Atom::Instance(instance) => of_frame(&instance.template.region),
    };
    for index in 0..state.heap.atoms.len() {
        if is_left(&state.heap.atoms[index]) {
            state.lose_rows(index, &|_, _| true);
        }
    }
    state.heap.atoms.retain(|atom| !is_left(atom));
    state.stores.pop();
}

impl Semantics<'_> {
    /// Whether a procedure can be followed into.
    #[must_use]
    pub fn has_body(&self, procedure: ir::ProcedureId) -> bool {
        self.program.procedure(procedure).is_defined()
    }
}
