//! When two states are the same up to the identities of their blocks.
//!
//! Such states behave alike: whatever one can do, the other can do with the
//! same choices. So a run that meets two states of one canonical form can go on
//! for ever.

use super::memory::{Cell, Content, Lifetime, MemoryBlockId};
use super::state::{Frame, State};
use super::value::Value;
use ir::expr::ScalarType;
use ir::{MemoryKind, Variable};

/// A state without the identities of its blocks. Equal forms mean isomorphic
/// states: the same frames, variables, and blocks reachable from them. Blocks
/// that nothing leads to do not count, as they cannot matter to the run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalForm(Vec<u8>);

impl State {
    /// The state up to the identities of its blocks.
    #[must_use]
    pub fn canonical_form(&self) -> CanonicalForm {
        self.canonical_form_where(&|_, _| true).0
    }

    /// The same, without the variables that `is_relevant` rejects, which is asked with the index
    /// of the call, or with `None` for globals; and the blocks that count, in the order in which
    /// they are met. When it keeps all that are live, states of one form still behave alike.
    #[must_use]
    pub fn canonical_form_where(
        &self,
        is_relevant: &dyn Fn(Option<usize>, Variable) -> bool,
    ) -> (CanonicalForm, Vec<MemoryBlockId>) {
        let mut encoder = Encoder {
            bytes: Vec::new(),
            number: vec![None; self.memory().n_blocks()],
            met: Vec::new(),
        };
        for (variable, value) in self.globals() {
            if is_relevant(None, variable) {
                encoder.variable(variable, value);
            }
        }
        for (index, frame) in self.frames().iter().enumerate() {
            encoder.frame(frame, &|variable| is_relevant(Some(index), variable));
        }
        let mut n_done = 0;
        while let Some(&id) = encoder.met.get(n_done) {
            n_done += 1;
            encoder.block(self, id);
        }
        (CanonicalForm(encoder.bytes), encoder.met)
    }
}

impl CanonicalForm {
    /// The form, written down.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Writes a state down, numbering blocks in the order in which they are met.
struct Encoder {
    bytes: Vec<u8>,
    /// For each block, its number if it was met.
    number: Vec<Option<usize>>,
    met: Vec<MemoryBlockId>,
}

impl Encoder {
    fn int(&mut self, number: i128) {
        self.bytes.extend(number.to_le_bytes());
    }

    fn size(&mut self, number: usize) {
        self.bytes.extend((number as u64).to_le_bytes());
    }

    fn word(&mut self, number: u32) {
        self.bytes.extend(number.to_le_bytes());
    }

    fn reference(&mut self, id: MemoryBlockId) {
        let number = self.number[id.index()].unwrap_or_else(|| {
            self.met.push(id);
            self.met.len() - 1
        });
        self.number[id.index()] = Some(number);
        self.size(number);
    }

    fn frame(&mut self, frame: &Frame, is_relevant: &dyn Fn(Variable) -> bool) {
        let location = frame.location();
        self.bytes.push(b'F');
        self.word(location.procedure.0);
        self.word(location.block.0);
        self.size(location.command);
        // One more than the variable's number, or 0.
        self.size(frame.result_target.map_or(0, |it| it.index() + 1));
        self.size(frame.allocas.len());
        for &block in &frame.allocas {
            self.reference(block);
        }
        for (variable, value) in frame.variables() {
            if is_relevant(variable) {
                self.variable(variable, value);
            }
        }
    }

    fn variable(&mut self, variable: Variable, value: Value) {
        self.bytes.push(b'V');
        self.word(variable.0);
        self.value(value);
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Int(number) => {
                self.bytes.push(b'i');
                self.int(number);
            }
            Value::Pointer(pointer) => {
                self.bytes.push(b'p');
                self.int(pointer.offset);
                self.reference(pointer.block);
            }
            Value::Procedure(procedure) => {
                self.bytes.push(b'f');
                self.word(procedure.0);
            }
        }
    }

    fn block(&mut self, state: &State, id: MemoryBlockId) {
        let block = state.memory().block(id);
        self.bytes.push(match block.lifetime {
            Lifetime::Live => b'L',
            Lifetime::Ended => b'E',
        });
        self.bytes.push(match block.kind {
            MemoryKind::Heap => 0,
            MemoryKind::Stack => 1,
            MemoryKind::Alloca => 2,
            MemoryKind::Static => 3,
            MemoryKind::Stream => 4,
            MemoryKind::Constant => 5,
            MemoryKind::Any => 6,
        });
        self.int(block.size);
        // Neighbouring runs of one byte count as one.
        let mut run: Option<(i128, Cell)> = None;
        for (offset, &cell) in block.cells() {
            run = match run {
                Some((start, old)) if old.continues_with(start, offset, cell) => {
                    Some((start, Cell { width: old.width + cell.width, ..old }))
                }
                other => {
                    self.cell(other);
                    Some((offset, cell))
                }
            };
        }
        self.cell(run);
    }

    fn cell(&mut self, cell: Option<(i128, Cell)>) {
        let Some((offset, cell)) = cell else { return };
        self.bytes.push(b'C');
        self.int(offset);
        self.int(cell.width);
        match cell.content {
            Content::Scalar { ty, value } => {
                self.scalar_type(ty);
                self.value(value);
            }
            Content::Run(byte) => self.bytes.extend([b'r', byte]),
            Content::Opaque => self.bytes.push(b'o'),
            Content::Moved => self.bytes.push(b'm'),
        }
    }

    fn scalar_type(&mut self, ty: ScalarType) {
        let bytes = match ty {
            ScalarType::Int(kind) if kind.signed => [b'i', kind.bits],
            ScalarType::Int(kind) => [b'u', kind.bits],
            ScalarType::Pointer => [b'p', 0],
            ScalarType::Float(bytes) => [b'f', bytes],
        };
        self.bytes.extend(bytes);
    }
}

impl Cell {
    /// Whether this cell at `start` and `next` at `offset` are one run.
    fn continues_with(self, start: i128, offset: i128, next: Self) -> bool {
        let is_run = matches!(self.content, Content::Run(_) | Content::Opaque | Content::Moved);
        is_run && self.content == next.content && start + self.width == offset
    }
}
