//! What a person calls the blocks and cells of a state of the interpreter.

use concrete::memory::{Content, MemoryBlockId};
use concrete::state::State;
use concrete::value::{Pointer, Value};
use ir::forms::{FormId, Part};
use ir::{Program, ScalarType};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

/// The forms of the blocks that typed pointers lead to.
pub(super) struct Parts<'a> {
    program: &'a Program,
    state: &'a State,
    forms: BTreeMap<MemoryBlockId, FormId>,
}

impl<'a> Parts<'a> {
    /// Follows the pointers of all variables, and those in the blocks that they lead to. The
    /// first one that leads to the start of a block says what that is.
    pub(super) fn of(program: &'a Program, state: &'a State) -> Self {
        let mut parts = Self { program, state, forms: BTreeMap::new() };
        let mut open = VecDeque::new();
        let locals = state.frames().iter().rev().flat_map(|frame| frame.variables());
        for (variable, value) in locals.chain(state.globals()) {
            parts.meet(value, program.forms.of(variable), &mut open);
        }
        while let Some(block) = open.pop_front() {
            for (offset, cell) in state.memory().block(block).cells() {
                if let Content::Scalar { ty: ty @ ScalarType::Pointer, value } = cell.content {
                    let part = parts.part(Pointer { block, offset }, ty);
                    parts.meet(value, part.and_then(|it| it.pointee), &mut open);
                }
            }
        }
        parts
    }

    fn meet(&mut self, value: Value, form: Option<FormId>, open: &mut VecDeque<MemoryBlockId>) {
        let (Value::Pointer(Pointer { block, offset: 0 }), Some(form)) = (value, form) else {
            return;
        };
        if let Entry::Vacant(unknown) = self.forms.entry(block) {
            unknown.insert(form);
            open.push_back(block);
        }
    }

    /// The part of its block that a scalar is.
    pub(super) fn part(&self, at: Pointer, ty: ScalarType) -> Option<Part> {
        let form = *self.forms.get(&at.block)?;
        let size = self.state.memory().block(at.block).size;
        let bytes = i128::from(ty.bytes(self.program.pointer_bytes));
        self.program.forms.part_of_row((form, Some(size)), at.offset, bytes)
    }
}

/// So many characters of a text are shown.
const SHOWN_CHARACTERS: usize = 60;

/// A text in quotes, up to its zero, as C writes it; `?` where nobody has asked what stands there.
pub(super) fn quoted(bytes: impl Iterator<Item = Option<u8>>) -> String {
    let bytes = bytes.take_while(|it| *it != Some(0));
    let shown: Vec<Option<u8>> = bytes.take(SHOWN_CHARACTERS + 1).collect();
    let escaped = shown.iter().take(SHOWN_CHARACTERS).map(|it| match it {
        Some(byte @ (b'"' | b'\\')) => format!("\\{}", char::from(*byte)),
        Some(byte) => byte.escape_ascii().to_string(),
        None => "?".to_owned(),
    });
    let more = if shown.len() > SHOWN_CHARACTERS { "..." } else { "" };
    format!("\"{}\"{more}", escaped.collect::<String>())
}
