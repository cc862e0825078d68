//! What a program is started with, in a run: the texts that `main` is given.
//!
//! Runs choose how many there are, how long they are, and the characters that are read. A person
//! wants to know the texts.

use super::parts::quoted;
use super::{Input, Location};
use concrete::memory::{Content, MemoryBlock};
use concrete::state::State;
use concrete::value::{Pointer, Value};
use ir::Program;
use std::collections::BTreeMap;

/// What `main` calls its parameters, whatever the program does.
const NAMES: [&str; 2] = ["argc", "argv"];

/// The texts that a run is given.
#[derive(Default)]
pub(super) struct Arguments {
    /// They, once `main` has begun.
    texts: Option<Vec<Text>>,
    /// Where they come in.
    place: Option<Location>,
    /// Of each choice, whether it is part of them.
    are_parts: Vec<bool>,
}

/// A text as it is when `main` begins, whatever the program writes over it later.
struct Text {
    start: Pointer,
    length: i128,
    /// The characters that were chosen so far, by their place in the block.
    characters: BTreeMap<i128, u8>,
}

impl Arguments {
    /// Looks at the state behind a call: whether it is that of `main`, with its texts.
    pub(super) fn look(&mut self, program: &Program, state: &State) {
        let [.., frame] = state.frames() else { return };
        let procedure = program.procedure(frame.location().procedure);
        let [_, texts, ..] = procedure.parameters.as_slice() else { return };
        let array = state.value(*texts).and_then(Value::as_pointer);
        if let (None, "main", Some(array)) = (&self.texts, procedure.name.as_str(), array) {
            let text = |start: Pointer| {
                let length = length_of(state.memory().block(start.block), start.offset);
                Text { start, length, characters: BTreeMap::new() }
            };
            let pointers = state.memory().block(array.block).targets();
            self.texts = Some(pointers.map(text).collect());
        }
    }

    /// Notes a number that is chosen for an input, or for what stands at an address. Returns
    /// whether it is part of the texts.
    pub(super) fn note(
        &mut self,
        (input, number): (Option<&str>, i128),
        address: Option<Value>,
        place: &Location,
    ) -> bool {
        let is_number = self.texts.is_none() && input.is_some_and(|it| NAMES.contains(&it));
        if is_number {
            self.place.get_or_insert_with(|| place.clone());
        }
        let at = address.and_then(Value::as_pointer).filter(|_| input.is_none());
        let mut texts = self.texts.iter_mut().flatten();
        let text = at.and_then(|at| Some((at, texts.find(|it| it.start.block == at.block)?)));
        let is_part = is_number || text.is_some();
        if let Some((at, text)) = text
            && let Ok(character) = u8::try_from(number.rem_euclid(256))
        {
            text.characters.insert(at.offset, character);
        }
        self.are_parts.push(is_part);
        is_part
    }

    /// Of each choice, in order, whether it is part of the texts; of none, where `main` has none.
    pub(super) fn parts(&self) -> &[bool] {
        if self.texts.is_some() { &self.are_parts } else { &[] }
    }

    /// The texts as inputs: how many there are, where there is none beside the program's name.
    pub(super) fn inputs(&self) -> Vec<Input> {
        let (Some(texts), Some(place)) = (&self.texts, &self.place) else { return Vec::new() };
        let input = |name: String, value: String| Input { name, value, location: place.clone() };
        // The program's own name matters where something looks at it.
        let is_given = |(index, it): &(usize, &Text)| *index > 0 || !it.characters.is_empty();
        let given = texts.iter().enumerate().filter(is_given);
        let given = given.map(|(index, it)| input(format!("argv[{index}]"), it.told()));
        let given: Vec<Input> = given.collect();
        if given.is_empty() { vec![input("argc".to_owned(), "1".to_owned())] } else { given }
    }
}

impl Text {
    fn told(&self) -> String {
        let places = self.start.offset..self.start.offset + self.length;
        quoted(places.map(|it| self.characters.get(&it).copied()))
    }
}

/// How many bytes stand before the first one from here on that is zero, as far as that is known.
fn length_of(block: &MemoryBlock, from: i128) -> i128 {
    let zero = block.cells().find(|(offset, cell)| {
        *offset >= from
            && match cell.content {
                Content::Scalar { value, .. } => value == Value::Int(0),
                Content::Run(byte) => byte == 0,
                Content::Opaque | Content::Moved => false,
            }
    });
    zero.map_or(block.size, |(offset, _)| offset) - from
}
