//! What a run can still do: where two runs can do the same, one of them is searched.
//!
//! Two runs have the same *future* if their states are the same up to the identities of blocks,
//! in all that is read later, and if the same numbers there depend on choices in the same way,
//! about which the runs have decided the same. With the same later choices they go the same
//! way. So the decisions in a future need to be turned over once: a loop that reads commands has
//! as many futures as its automaton has states, but as many paths as there are words.

use super::machine::Run;
use super::read_later::ReadLater;
use super::shadow::{Choice, Decision, Slot, Symbol};
use concrete::memory::{Lifetime, MemoryBlockId};
use concrete::state::State;
use ir::{MemoryKind, Program, Variable};
use logic::{LinearExpr, Var};
use std::collections::{BTreeMap, BTreeSet};

/// The future of a run, as a hash: equal numbers are taken for equal futures.
pub(super) type Future = u64;

/// With more blocks than this a state is not compared: that would cost more than the runs.
const MOST_BLOCKS: usize = 60;

/// The same for what it holds, in bytes.
const MOST_BYTES: usize = 6_000;

/// A state that depends on choices is not compared after so many decisions: there is hardly
/// another one like it.
const MOST_DECISIONS: usize = 60;

/// The futures of runs of a program.
pub(super) struct Futures(ReadLater);

impl Futures {
    pub(super) fn of_program(program: &Program) -> Self {
        Self(ReadLater::in_program(program))
    }

    /// The future of a run at the start of a block, unless that is costly to say.
    pub(super) fn of(&self, run: &Run) -> Option<Future> {
        let (state, shadow) = (&run.state, &run.shadow);
        if state.memory().n_blocks() > MOST_BLOCKS {
            return None;
        }
        let is_read =
            |frame: Option<usize>, variable: Variable| self.0.contains(state, frame, variable);
        let (form, blocks) = state.canonical_form_where(&is_read);
        if form.bytes().len() > MOST_BYTES {
            return None;
        }
        let mut hash = Hash::EMPTY;
        hash.add(form.bytes());
        hash.add(&[u8::from(has_lost_blocks(state, &blocks))]);
        let mut names = Names { choices: shadow.choices(), numbers: BTreeMap::new() };
        let mut about = BTreeSet::new();
        let mut add = |place: String, form: &LinearExpr| {
            hash.add(place.as_bytes());
            hash.add(names.written(form).as_bytes());
            about.extend(form.variables());
        };
        for (slot, form) in shadow.forms_of_variables() {
            let is_kept = match slot {
                Slot::Global(variable) => is_read(None, variable),
                Slot::Local(frame, variable) => is_read(Some(frame), variable),
                Slot::Memory(..) => false,
            };
            if is_kept {
                add(format!("{slot:?}"), form);
            }
        }
        for (number, block) in blocks.iter().enumerate() {
            for (offset, form) in shadow.forms_in(*block) {
                add(format!("{number}+{offset}"), form);
            }
        }
        if about.is_empty() {
            return Some(hash.0);
        }
        if shadow.decisions().len() > MOST_DECISIONS {
            return None;
        }
        let decided = about_these(shadow.decisions(), about);
        let decided: BTreeSet<String> = decided.iter().map(|it| names.decided(it)).collect();
        decided.iter().for_each(|it| hash.add(it.as_bytes()));
        Some(hash.0)
    }
}

/// Whether there is a heap block that is not freed and that none of these leads to.
fn has_lost_blocks(state: &State, blocks: &[MemoryBlockId]) -> bool {
    let is_heap = |id: &&MemoryBlockId| {
        let block = state.memory().block(**id);
        block.kind == MemoryKind::Heap && block.lifetime == Lifetime::Live
    };
    blocks.iter().filter(is_heap).count() < state.unfreed().len()
}

/// The decisions about these symbols, and about those that they are connected with.
fn about_these(decisions: &[Decision], mut symbols: BTreeSet<Var>) -> Vec<&Decision> {
    loop {
        let n_before = symbols.len();
        let about = |decision: &&Decision| {
            decision.constraint.expr().variables().any(|it| symbols.contains(&it))
        };
        let found: Vec<&Decision> = decisions.iter().filter(about).collect();
        symbols.extend(found.iter().flat_map(|it| it.constraint.expr().variables()));
        if symbols.len() == n_before {
            return found;
        }
    }
}

/// Numbers for symbols in the order in which they occur, whichever choices these are.
struct Names<'run> {
    choices: &'run [Choice],
    numbers: BTreeMap<Var, usize>,
}

impl Names<'_> {
    fn written(&mut self, form: &LinearExpr) -> String {
        let mut text = format!("{:?}", form.constant_part());
        for (symbol, coefficient) in form.terms() {
            let next = self.numbers.len();
            let number = *self.numbers.entry(*symbol).or_insert(next);
            let ty = match Symbol::of(*symbol) {
                Symbol::Choice(index) => self.choices.get(index).map(|it| it.ty),
                Symbol::Entry(_) | Symbol::Reduction(_) => None,
            };
            text.push_str(&format!(" {coefficient:?} {number} {ty:?}"));
        }
        text
    }

    fn decided(&mut self, decision: &Decision) -> String {
        let constraint = &decision.constraint;
        format!("{:?} {}", constraint.relation(), self.written(constraint.expr()))
    }
}

/// A hash (FNV).
pub(super) struct Hash(pub(super) u64);

impl Hash {
    pub(super) const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    pub(super) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
