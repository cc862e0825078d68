//! The shadow of a state: which values are linear expressions over symbols.

use base::source::Span;
use concrete::choices::Occasion;
use concrete::memory::MemoryBlockId;
use concrete::state::{Location, State};
use concrete::value::{Pointer, Value};
use ir::expr::ScalarType;
use ir::{HavocSource, Variable};
use logic::{Constraint, LinearExpr, Rational, Var};
use std::collections::BTreeMap;

/// A linear expression that a number equals as long as the symbols satisfy the
/// decisions. `None`: the value is this one, whatever the symbols are; an address
/// is this one up to the identity of its block.
pub type Form = Option<LinearExpr>;

/// A value and its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shaded {
    /// The value.
    pub value: Value,
    /// Its form, which has that value.
    pub form: Form,
}

/// Where something stands that a run can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// A global.
    Global(Variable),
    /// A variable of the call with this index, the outermost is 0.
    Local(usize, Variable),
    /// A scalar of a type in memory, at an address.
    Memory(Pointer, ScalarType),
}

/// Something that was read where the run began, before it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where, in the state where the run began.
    pub slot: Slot,
    /// What it held there. A number is the entry's symbol, see [`entry_symbol`].
    pub value: Value,
}

/// A choice that a run made. Its symbol is [`choice_symbol`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its type.
    pub ty: ScalarType,
    /// The number, reduced to the type.
    pub value: i128,
    /// What asked for it.
    pub source: ChoiceSource,
    /// Where it was asked for.
    pub span: Span,
}

/// What asked for a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceSource {
    /// An input: the result of the named function.
    Input(String),
    /// A variable without a value.
    Uninitialised,
    /// Memory that was not written to.
    Memory,
    /// A value that is not modelled.
    Approximation,
}

/// A condition that the run met, and what would have led it elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Where.
    pub location: Location,
    /// What holds of the symbols.
    pub constraint: Constraint,
    /// Its complement, as constraints each of which would change the run.
    pub alternatives: Vec<Constraint>,
}

/// The symbol of the entry with this index.
#[must_use]
pub fn entry_symbol(index: usize) -> Var {
    Var::at(3 * index)
}

/// The symbol of the choice with this index.
#[must_use]
pub fn choice_symbol(index: usize) -> Var {
    Var::at(3 * index + 1)
}

/// The symbol of the reduction to a type's range with this index.
pub(super) fn reduction_symbol(index: usize) -> Var {
    Var::at(3 * index + 2)
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// The entry with this index.
    Entry(usize),
    /// The choice with this index.
    Choice(usize),
    /// The result of the reduction with this index: any number of its type.
    Reduction(usize),
}

/// What a shadow makes of a sum that is reduced to the range of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reductions {
    /// How often the modulus is taken away is a decision.
    Decided,
    /// The result may be any number of the type, and so may what is not modelled: what is
    /// shown of the run then holds whatever these are.
    Free,
}

impl Symbol {
    /// What `variable` stands for.
    #[must_use]
    pub fn of(variable: Var) -> Self {
        let index = variable.index() / 3;
        match variable.index() % 3 {
            0 => Self::Entry(index),
            1 => Self::Choice(index),
            _ => Self::Reduction(index),
        }
    }
}

impl ChoiceSource {
    pub(super) fn of(occasion: Occasion<'_>) -> Self {
        match occasion {
            Occasion::Havoc(HavocSource::Input(name)) => Self::Input(name.clone()),
            Occasion::Havoc(HavocSource::Approximation(_)) | Occasion::LibraryText => {
                Self::Approximation
            }
            Occasion::Havoc(HavocSource::Uninitialised) | Occasion::UnassignedVariable => {
                Self::Uninitialised
            }
            Occasion::UninitialisedMemory => Self::Memory,
        }
    }
}

/// Why a run cannot be shadowed any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub &'static str);

/// What is known of some bytes of a block.
#[derive(Clone, Debug)]
struct ShadowCell {
    width: i128,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    /// A scalar that the run stored or chose.
    Written(ScalarType, Form),
    /// A scalar that was there before the run began.
    Entry(ScalarType, Form),
    /// Bytes whose values do not depend on the symbols.
    Bytes,
    /// Bytes that nothing was written to since the run began; who reads them chooses.
    Fresh,
    /// Bytes of which nothing is known.
    Unknown,
}

type Cells = BTreeMap<i128, ShadowCell>;

/// The shadow of a run's state, and what the run needed so far.
#[derive(Clone, Debug)]
pub struct Shadow {
    /// How many of the calls that were active when the run began still are; the
    /// innermost of them was the innermost call at some time.
    pub(super) n_old_frames: usize,
    /// How many calls were active when the run began.
    pub(super) n_frames_at_start: usize,
    n_old_blocks: usize,
    globals: BTreeMap<Variable, Form>,
    /// The shadows of the calls' variables, outermost first.
    pub(super) frames: Vec<BTreeMap<Variable, Form>>,
    blocks: BTreeMap<MemoryBlockId, Cells>,
    pub(super) entries: Vec<Entry>,
    pub(super) choices: Vec<Choice>,
    pub(super) decisions: Vec<Decision>,
    pub(super) reductions: Reductions,
    /// The results of the free reductions, with what they may be.
    pub(super) reduced: Vec<(i128, [i128; 2])>,
    /// Whether a reduction was decided that might have been free.
    pub(super) has_decided_reductions: bool,
}

impl Shadow {
    /// The shadow of the state in which the program starts: nothing is old.
    pub(super) fn of_start(state: &State) -> Self {
        let globals = state.globals().map(|(variable, _)| (variable, None)).collect();
        Self { n_old_frames: 0, n_frames_at_start: 0, globals, ..Self::of_middle(state) }
    }

    /// The shadow of a state in the middle of a run: everything is old.
    pub(super) fn of_middle(state: &State) -> Self {
        let n_frames = state.frames().len();
        Self {
            n_old_frames: n_frames,
            n_frames_at_start: n_frames,
            n_old_blocks: state.memory().n_blocks(),
            globals: BTreeMap::new(),
            frames: vec![BTreeMap::new(); n_frames],
            blocks: BTreeMap::new(),
            entries: Vec::new(),
            choices: Vec::new(),
            decisions: Vec::new(),
            reductions: Reductions::Decided,
            reduced: Vec::new(),
            has_decided_reductions: false,
        }
    }

    /// Whether the run began in the middle of another one.
    pub(super) fn is_of_middle(&self) -> bool {
        self.n_frames_at_start > 0
    }

    /// Whether sums were reduced that might have been free.
    #[must_use]
    pub fn has_reductions(&self) -> bool {
        self.has_decided_reductions
    }

    /// What the shadow makes of sums that are reduced.
    #[must_use]
    pub fn reductions(&self) -> Reductions {
        self.reductions
    }

    /// The ranges of the results of free reductions.
    #[must_use]
    pub fn ranges(&self) -> Vec<[i128; 2]> {
        self.reduced.iter().map(|it| it.1).collect()
    }

    /// Notes a free reduction to a range and gives the form of its result.
    pub(super) fn reduce(&mut self, result: i128, range: [i128; 2]) -> LinearExpr {
        self.reduced.push((result, range));
        LinearExpr::var(reduction_symbol(self.reduced.len() - 1))
    }

    /// What the run read of the state it began in, in the order of reading.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The choices that the run made, in order.
    #[must_use]
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// What the run decided, in order: the path condition.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The number that a symbol has in this run; 0 for a symbol without one.
    #[must_use]
    pub fn number_of(&self, symbol: Var) -> i128 {
        match Symbol::of(symbol) {
            Symbol::Entry(index) => self.entries.get(index).and_then(|it| it.value.as_int()),
            Symbol::Choice(index) => self.choices.get(index).map(|it| it.value),
            Symbol::Reduction(index) => self.reduced.get(index).map(|it| it.0),
        }
        .unwrap_or(0)
    }

    /// The same as a rational number.
    #[must_use]
    pub fn rational_of(&self, symbol: Var) -> Rational {
        Rational::from(logic::Integer::from(self.number_of(symbol)))
    }

    /// Whether the block existed when the run began.
    pub(super) fn is_old(&self, block: MemoryBlockId) -> bool {
        block.index() < self.n_old_blocks
    }

    /// Notes a choice and gives its form.
    pub(super) fn choose(&mut self, choice: Choice) -> Form {
        self.choices.push(choice);
        Some(LinearExpr::var(choice_symbol(self.choices.len() - 1)))
    }

    fn enter(&mut self, slot: Slot, value: Value) -> Form {
        self.entries.push(Entry { slot, value });
        let symbol = entry_symbol(self.entries.len() - 1);
        value.as_int().map(|_| LinearExpr::var(symbol))
    }

    /// Notes that `form` has to be just `value`.
    pub(super) fn pin(&mut self, location: Location, form: &Form, value: Value) {
        let (Some(form), Value::Int(number)) = (form, value) else { return };
        let number = logic::Integer::from(number);
        let constraint = Constraint::eq(form, number.clone());
        let alternatives = vec![Constraint::lt(form, number.clone()), Constraint::gt(form, number)];
        self.decide(Decision { location, constraint, alternatives });
    }

    /// The last decision, if it came after so many others, cannot be otherwise.
    pub(super) fn settle_last(&mut self, n_before: usize) {
        if let Some(last) = self.decisions[n_before..].last_mut() {
            last.alternatives.clear();
        }
    }

    /// Notes a decision, unless all symbols decide so.
    pub(super) fn decide(&mut self, decision: Decision) {
        if !decision.constraint.is_trivial() {
            self.decisions.push(decision);
        }
    }

    /// The form of a variable that has a value: of a global, or of the call with
    /// the index `frame`.
    pub(super) fn variable(&mut self, slot: Slot, value: Option<Value>) -> Result<Shaded, Refused> {
        let value = value.ok_or(Refused("a variable without a value is read"))?;
        let (known, is_old) = match slot {
            Slot::Global(variable) => (self.globals.get(&variable), self.n_frames_at_start > 0),
            Slot::Local(frame, variable) => {
                let frame_shadow = self.frames.get(frame);
                (frame_shadow.and_then(|it| it.get(&variable)), frame < self.n_old_frames)
            }
            Slot::Memory(..) => return Err(Refused("memory is no variable")),
        };
        let form = match known {
            Some(form) => form.clone(),
            None if is_old => {
                let form = self.enter(slot, value);
                self.set_variable(slot, form.clone());
                form
            }
            None => return Err(Refused("a variable has a value from nowhere")),
        };
        Ok(Shaded { value, form })
    }

    /// Sets the form of a variable.
    pub(super) fn set_variable(&mut self, slot: Slot, form: Form) {
        match slot {
            Slot::Global(variable) => {
                self.globals.insert(variable, form);
            }
            Slot::Local(frame, variable) => {
                if let Some(variables) = self.frames.get_mut(frame) {
                    variables.insert(variable, form);
                }
            }
            Slot::Memory(..) => {}
        }
    }

    /// What variables hold that depends on symbols.
    pub(super) fn forms_of_variables(&self) -> impl Iterator<Item = (Slot, &LinearExpr)> {
        let globals = self.globals.iter().map(|(name, form)| (Slot::Global(*name), form));
        let locals = self.frames.iter().enumerate().flat_map(|(frame, variables)| {
            variables.iter().map(move |(name, form)| (Slot::Local(frame, *name), form))
        });
        globals.chain(locals).filter_map(|(slot, form)| Some((slot, form.as_ref()?)))
    }

    /// What a block holds that depends on symbols, by offset.
    pub(super) fn forms_in(&self, id: MemoryBlockId) -> impl Iterator<Item = (i128, &LinearExpr)> {
        let cells = self.blocks.get(&id).into_iter().flatten();
        cells.filter_map(|(offset, cell)| match &cell.content {
            Content::Written(_, form) | Content::Entry(_, form) => Some((*offset, form.as_ref()?)),
            Content::Bytes | Content::Fresh | Content::Unknown => None,
        })
    }

    /// Whether a variable without a value lost it, or never had one, before the
    /// run began.
    pub(super) fn is_old_variable(&self, slot: Slot) -> bool {
        match slot {
            Slot::Global(_) => self.n_frames_at_start > 0,
            Slot::Local(frame, _) => frame < self.n_old_frames,
            Slot::Memory(..) => false,
        }
    }
}

/// What a load finds.
pub(super) struct Loaded {
    /// The form of the value.
    pub(super) form: Form,
    /// Forms that have to be pinned, for the value to be this one.
    pub(super) pinned: Vec<LinearExpr>,
}

impl Shadow {
    /// The form of the scalar `value` at an address, after the load. `chosen`
    /// are the forms of what the load chose.
    pub(super) fn load(
        &mut self,
        (pointer, ty, width): (Pointer, ScalarType, i128),
        value: Value,
        chosen: &[(ScalarType, Form)],
    ) -> Result<Loaded, Refused> {
        let is_old = self.is_old(pointer.block);
        let cells = self.blocks.entry(pointer.block).or_default();
        let (start, end) = (pointer.offset, pointer.offset + width);
        let found: Vec<(i128, &ShadowCell)> = overlapping(cells, start, end);
        let length = |(at, cell): &(i128, &ShadowCell)| end.min(at + cell.width) - start.max(*at);
        let covers_all = found.iter().map(length).sum::<i128>() == width;
        if is_old && !covers_all && !chosen.is_empty() {
            return Err(Refused("memory is read that nobody wrote"));
        }
        let is_fresh = found.iter().all(|(_, cell)| matches!(cell.content, Content::Fresh));
        if let [(offset, ShadowCell { width: stored, content })] = found.as_slice()
            && (*offset, *stored) == (start, width)
            && let Content::Written(as_stored, form) | Content::Entry(as_stored, form) = content
            && (*as_stored == ty || value.as_int().is_none())
        {
            return Ok(Loaded { form: form.clone(), pinned: Vec::new() });
        }
        if is_fresh && (found.is_empty() || covers_all || !is_old) {
            let content = match chosen {
                [] if is_old && found.is_empty() => {
                    Content::Entry(ty, self.enter(Slot::Memory(pointer, ty), value))
                }
                [(as_chosen, form)] if *as_chosen == ty => Content::Written(ty, form.clone()),
                [] => return Err(Refused("memory has a value from nowhere")),
                _ => Content::Bytes,
            };
            let (form, pinned) = match &content {
                Content::Written(_, form) | Content::Entry(_, form) => (form.clone(), Vec::new()),
                Content::Bytes | Content::Fresh | Content::Unknown => (None, forms(chosen)),
            };
            self.write(pointer, width, content);
            return Ok(Loaded { form, pinned });
        }
        let mut pinned = forms(chosen);
        for (_, cell) in &found {
            match &cell.content {
                Content::Written(_, form) => pinned.extend(form.clone()),
                Content::Bytes | Content::Fresh => {}
                Content::Entry(..) | Content::Unknown => {
                    return Err(Refused("bytes are read as another type"));
                }
            }
        }
        if is_old && !covers_all {
            return Err(Refused("bytes are read in part"));
        }
        self.write(pointer, width, Content::Bytes);
        Ok(Loaded { form: None, pinned })
    }

    /// Notes that a scalar was stored.
    pub(super) fn store(&mut self, pointer: Pointer, ty: ScalarType, width: i128, form: Form) {
        self.write(pointer, width, Content::Written(ty, form));
    }

    /// Notes that bytes were filled, with a byte that no symbol changes.
    pub(super) fn fill(&mut self, pointer: Pointer, width: i128) {
        self.write(pointer, width, Content::Bytes);
    }

    /// Notes that a block is gone.
    pub(super) fn free(&mut self, block: MemoryBlockId) {
        self.blocks.remove(&block);
    }

    /// Notes that bytes were copied. `state` is the state before. Bytes that nothing was
    /// written to go over to the target, as they do in the interpreter.
    pub(super) fn copy(&mut self, state: &State, [target, source]: [Pointer; 2], width: i128) {
        if target == source || width <= 0 {
            return;
        }
        self.enter_scalars(state, source, width);
        let cells = self.blocks.entry(source.block).or_default();
        let end = source.offset + width;
        let (mut copies, mut gaps) = (Vec::new(), Vec::new());
        let mut known = source.offset;
        for (offset, cell) in overlapping(cells, source.offset, end) {
            if known < offset {
                gaps.push((known, offset - known));
            }
            known = offset + cell.width;
            let is_whole = offset >= source.offset && offset + cell.width <= end;
            let content = match &cell.content {
                Content::Written(ty, form) | Content::Entry(ty, form) if is_whole => {
                    Content::Written(*ty, form.clone())
                }
                Content::Bytes => Content::Bytes,
                Content::Fresh => {
                    let (from, to) = (offset.max(source.offset), end.min(known));
                    gaps.push((from, to - from));
                    continue;
                }
                Content::Written(..) | Content::Entry(..) | Content::Unknown => continue,
            };
            let from = offset.max(source.offset);
            let to = end.min(offset + cell.width);
            copies.push((from - source.offset, ShadowCell { width: to - from, content }));
        }
        if known < end {
            gaps.push((known, end - known));
        }
        // In an old block, what the shadow does not know may have a value.
        let is_old = self.is_old(source.block);
        gaps.retain(|(offset, _)| !is_old || self.is_fresh(source.block, *offset));
        for (offset, width) in &gaps {
            self.write(Pointer { offset: *offset, ..source }, *width, Content::Unknown);
        }
        self.write(target, width, Content::Unknown);
        for (offset, width) in gaps {
            let offset = offset - source.offset + target.offset;
            self.write(Pointer { offset, ..target }, width, Content::Fresh);
        }
        for (distance, cell) in copies {
            let at = Pointer { offset: target.offset + distance, ..target };
            self.write(at, cell.width, cell.content);
        }
    }

    /// Whether nothing was written to a byte since the run began, surely.
    fn is_fresh(&self, block: MemoryBlockId, offset: i128) -> bool {
        let cells = self.blocks.get(&block);
        cells.is_some_and(|cells| {
            let found = overlapping(cells, offset, offset + 1);
            found.iter().any(|(_, cell)| matches!(cell.content, Content::Fresh))
        })
    }

    /// Notes the scalars of an old block that a copy reads.
    fn enter_scalars(&mut self, state: &State, source: Pointer, width: i128) {
        if !self.is_old(source.block) {
            return;
        }
        let end = source.offset + width;
        for (offset, cell) in state.memory().block(source.block).cells() {
            let concrete::memory::Content::Scalar { ty, value } = cell.content else {
                continue;
            };
            let is_whole = offset >= source.offset && offset + cell.width <= end;
            let cells = self.blocks.entry(source.block).or_default();
            if is_whole && overlapping(cells, offset, offset + cell.width).is_empty() {
                let at = Pointer { offset, ..source };
                let form = self.enter(Slot::Memory(at, ty), value);
                self.write(at, cell.width, Content::Entry(ty, form));
            }
        }
    }

    /// Puts a cell over what was there. Nothing is known any more of the rest of
    /// a scalar that it covers in part.
    fn write(&mut self, at: Pointer, width: i128, content: Content) {
        let cells = self.blocks.entry(at.block).or_default();
        let (start, end) = (at.offset, at.offset + width);
        let covered: Vec<(i128, ShadowCell)> =
            overlapping(cells, start, end).into_iter().map(|(o, it)| (o, it.clone())).collect();
        for (offset, old) in covered {
            cells.remove(&offset);
            let rest = match old.content {
                Content::Bytes => Content::Bytes,
                Content::Fresh => Content::Fresh,
                Content::Written(..) | Content::Entry(..) | Content::Unknown => Content::Unknown,
            };
            let old_end = offset + old.width;
            for (from, to) in [(offset, start), (end, old_end)] {
                if from < to {
                    cells.insert(from, ShadowCell { width: to - from, content: rest.clone() });
                }
            }
        }
        if width > 0 {
            cells.insert(start, ShadowCell { width, content });
        }
    }
}

fn forms(chosen: &[(ScalarType, Form)]) -> Vec<LinearExpr> {
    chosen.iter().filter_map(|(_, form)| form.clone()).collect()
}

fn overlapping(cells: &Cells, start: i128, end: i128) -> Vec<(i128, &ShadowCell)> {
    let before = cells.range(..start).next_back();
    let before = before.filter(|(offset, cell)| *offset + cell.width > start);
    let inside = cells.range(start..end.max(start));
    before.into_iter().chain(inside).map(|(offset, cell)| (*offset, cell)).collect()
}
