//! What a program is started with, in a run: the texts that `main` is given.
//!
//! Runs choose how many there are, how long they are, and the characters that are read. A person
//! wants to know the texts.

use super::parts::text_at;
use super::{Input, Location};
use concrete::memory::{Content, MemoryBlockId};
use concrete::state::State;
use concrete::value::{Pointer, Value};
use ir::Program;
use std::collections::BTreeSet;

/// What `main` calls its parameters, whatever the program does.
const NAMES: [&str; 2] = ["argc", "argv"];

/// The texts that a run is given.
#[derive(Default)]
pub(super) struct Arguments {
    /// The array of them, once `main` has begun.
    array: Option<Pointer>,
    /// What the texts are in.
    blocks: BTreeSet<MemoryBlockId>,
    /// Where they come in.
    place: Option<Location>,
    /// Of each choice, whether it is part of them.
    are_parts: Vec<bool>,
}

impl Arguments {
    /// Looks at the state behind a call: whether it is that of `main`, with its texts.
    pub(super) fn look(&mut self, program: &Program, state: &State) {
        let [.., frame] = state.frames() else { return };
        let procedure = program.procedure(frame.location().procedure);
        let [_, texts, ..] = procedure.parameters.as_slice() else { return };
        let array = state.value(*texts).and_then(Value::as_pointer);
        if let (None, "main", Some(array)) = (self.array, procedure.name.as_str(), array) {
            self.array = Some(array);
            self.blocks = state.memory().block(array.block).targets().map(|it| it.block).collect();
        }
    }

    /// Notes a choice that something asks for at a place, perhaps memory at an address. Returns
    /// whether it is part of the texts.
    pub(super) fn note(
        &mut self,
        input: Option<&str>,
        address: Option<Value>,
        place: &Location,
    ) -> bool {
        let is_number = self.array.is_none() && input.is_some_and(|it| NAMES.contains(&it));
        let block = address.and_then(Value::as_pointer).map(|it| it.block);
        let is_character = input.is_none() && block.is_some_and(|it| self.blocks.contains(&it));
        if is_number {
            self.place.get_or_insert_with(|| place.clone());
        }
        self.are_parts.push(is_number || is_character);
        is_number || is_character
    }

    /// Of each choice, in order, whether it is part of the texts; of none, where `main` has none.
    pub(super) fn parts(&self) -> &[bool] {
        if self.array.is_some() { &self.are_parts } else { &[] }
    }

    /// The texts as inputs: how many there are, where there is none.
    pub(super) fn inputs(&self, state: &State) -> Vec<Input> {
        let (Some(array), Some(place)) = (self.array, &self.place) else { return Vec::new() };
        let input = |name: String, value: String| Input { name, value, location: place.clone() };
        let pointers =
            state.memory().block(array.block).cells().filter_map(|(_, cell)| match cell.content {
                Content::Scalar { value: Value::Pointer(pointer), .. } => Some(pointer),
                Content::Scalar { .. } | Content::Run(_) | Content::Opaque | Content::Moved => None,
            });
        let texts = pointers.enumerate().skip(1);
        let texts = texts.map(|(index, it)| input(format!("argv[{index}]"), text_at(state, it)));
        let texts: Vec<Input> = texts.collect();
        if texts.is_empty() { vec![input("argc".to_owned(), "1".to_owned())] } else { texts }
    }
}
