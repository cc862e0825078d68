//! Variables that are declared without a value: whether a run ever reads what it takes them for.
//!
//! A run chooses a number for each of them where it is declared. Most are given another value
//! before anything reads them, and such a choice is none that a person wants to hear of. Of memory
//! a run chooses what it reads, and who has put it there may be a function of the library.

use concrete::memory::MemoryBlockId;
use concrete::value::Pointer;
use ir::Variable;
use std::collections::BTreeMap;
use std::ops::Range;

/// A variable of a call: how many calls there are, 0 for globals, and which it is.
type Key = (usize, Variable);

/// The choices of a run, and the variables whose choice nothing has read so far.
#[derive(Default)]
pub(super) struct Unset {
    waiting: BTreeMap<Key, usize>,
    /// What choices are of, as a person calls it.
    names: BTreeMap<usize, String>,
    /// Of each choice, whether anything reads it.
    are_read: Vec<bool>,
}

impl Unset {
    /// A choice is made: for a variable that is declared, or for what is read at once. A person
    /// calls it so, if it has a name.
    pub(super) fn chosen(&mut self, declared: Option<Key>, name: Option<String>) {
        let choice = self.are_read.len();
        self.waiting.extend(declared.map(|key| (key, choice)));
        self.names.extend(name.map(|name| (choice, name)));
        self.are_read.push(declared.is_none());
    }

    /// A variable is read. Returns whether that is the first look at what was chosen for it.
    pub(super) fn reads(&mut self, key: Key) -> bool {
        let choice = self.waiting.remove(&key);
        choice.is_some_and(|it| !std::mem::replace(&mut self.are_read[it], true))
    }

    /// A variable is given a value.
    pub(super) fn writes(&mut self, key: Key) {
        self.waiting.remove(&key);
    }

    /// What a choice is of, as a person calls it.
    pub(super) fn name(&self, choice: usize) -> Option<&str> {
        self.names.get(&choice).map(String::as_str)
    }

    /// Whether anything has read a choice.
    pub(super) fn is_read(&self, choice: usize) -> bool {
        self.are_read.get(choice).copied().unwrap_or(true)
    }
}

/// A call, and how much farther behind bytes were in its own block.
type Origin = (usize, i128);

/// The bytes whose contents are what a call of the library gave, whatever that is.
#[derive(Default)]
pub(super) struct Contents {
    /// Where they lie, and where they come from; nowhere, if others were written over them since.
    bytes: Vec<(MemoryBlockId, Range<i128>, Option<Origin>)>,
    /// What calls gave, as far as something has read it, and zeros.
    given: BTreeMap<usize, Vec<u8>>,
}

/// What stands between the name of memory and that of the call that has written there.
pub(super) const FROM_CALL: &str = "` from `";

/// Of longer blocks the bytes are not listed.
const LONGEST_BLOCK: i128 = 60_000;

impl Contents {
    /// A call has made a block of so many bytes.
    pub(super) fn made(&mut self, block: MemoryBlockId, size: i128, call: usize) {
        self.bytes.push((block, 0..size, Some((call, 0))));
        let length = usize::try_from(size.min(LONGEST_BLOCK)).unwrap_or(0);
        self.given.insert(call, vec![0; length]);
    }

    /// So many bytes of a number are read.
    pub(super) fn read(&mut self, at: Pointer, number: i128, n_bytes: u32) {
        let Some((call, shift)) = self.origin(at) else { return };
        let Some(given) = self.given.get_mut(&call) else { return };
        let first = usize::try_from(at.offset + shift).ok();
        let own = first.and_then(|first| given.get_mut(first..)).unwrap_or_default();
        for (byte, value) in own.iter_mut().zip(number.to_le_bytes()).take(n_bytes as usize) {
            *byte = value;
        }
    }

    /// What the calls gave, in order.
    pub(super) fn given(&self) -> impl Iterator<Item = (usize, &[u8])> {
        self.given.iter().map(|(call, bytes)| (*call, bytes.as_slice()))
    }

    /// So many bytes are copied.
    pub(super) fn copied(&mut self, target: Pointer, source: Pointer, size: i128) {
        if self.bytes.is_empty() {
            return;
        }
        let moved = |at: i128| at - source.offset + target.offset;
        let shift = source.offset - target.offset;
        let overlap = |(block, range, call): &(MemoryBlockId, Range<i128>, Option<Origin>)| {
            let (start, end) =
                (range.start.max(source.offset), range.end.min(source.offset + size));
            let is_copied = *block == source.block && start < end;
            let call = call.map(|(call, before)| (call, before + shift));
            is_copied.then_some((target.block, moved(start)..moved(end), call))
        };
        let copied: Vec<_> = self.bytes.iter().filter_map(overlap).collect();
        let (start, end) = (target.offset, target.offset + size);
        let is_other = |it: &(MemoryBlockId, Range<i128>, _)| {
            it.0 != target.block || it.1.start < start || end < it.1.end
        };
        // What is written over for good is forgotten: runs may copy often.
        self.bytes.retain(is_other);
        if self.bytes.iter().any(|(block, ..)| *block == target.block) {
            self.bytes.push((target.block, start..end, None));
        }
        self.bytes.extend(copied);
    }

    /// The call that gave what stands there.
    pub(super) fn call(&self, at: Pointer) -> Option<usize> {
        self.origin(at).map(|(call, _)| call)
    }

    fn origin(&self, at: Pointer) -> Option<Origin> {
        let mut last = self.bytes.iter().rev();
        last.find(|(block, range, _)| *block == at.block && range.contains(&at.offset))?.2
    }
}

#[cfg(test)]
mod tests {
    use super::{Contents, Unset};
    use concrete::memory::MemoryBlockId;
    use concrete::value::Pointer;
    use ir::Variable;

    #[test]
    fn a_choice_is_read_before_its_variable_is_written() {
        let [one, other] = [0, 1].map(|it| (1, Variable::at(it)));
        let mut unset = Unset::default();
        unset.chosen(Some(one), None);
        unset.chosen(Some(other), Some("other".to_owned()));
        unset.chosen(None, None);
        unset.writes(one);
        assert!(!unset.reads(one));
        assert!(unset.reads(other));
        assert!(!unset.reads(other), "the second look is none at something new");
        assert_eq!([0, 1].map(|it| unset.name(it)), [None, Some("other")]);
        assert_eq!([0, 1, 2].map(|it| unset.is_read(it)), [false, true, true]);
    }

    #[test]
    fn contents_go_where_they_are_copied_to() {
        let [inner, buffer, other] = [0, 1, 2].map(MemoryBlockId::at);
        let at = |block: MemoryBlockId, offset: i128| Pointer { block, offset };
        let mut contents = Contents::default();
        contents.made(inner, 4, 7);
        contents.copied(at(buffer, 2), at(inner, 1), 2);
        contents.copied(at(other, 0), at(buffer, 1), 2);
        let calls = |block: MemoryBlockId| [0, 1, 2, 3, 4].map(|it| contents.call(at(block, it)));
        assert_eq!(calls(buffer), [None, None, Some(7), Some(7), None]);
        assert_eq!(calls(other), [None, Some(7), None, None, None]);
        contents.read(at(other, 1), 0x41, 1);
        contents.read(at(buffer, 3), 0x42, 1);
        let given: Vec<(usize, &[u8])> = contents.given().collect();
        assert_eq!(given, [(7, &[0, 0x41, 0x42, 0][..])]);
        contents.copied(at(buffer, 2), at(other, 2), 1);
        assert_eq!(contents.call(at(buffer, 2)), None, "another byte stands there");
        let n_known = contents.bytes.len();
        for _ in 0..100 {
            contents.copied(at(buffer, 2), at(inner, 1), 2);
            contents.copied(at(buffer, 2), at(other, 3), 2);
        }
        assert!(contents.bytes.len() <= n_known, "{}", contents.bytes.len());
    }
}
