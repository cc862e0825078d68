//! Variables that are declared without a value: whether a run ever reads what it takes them for.
//!
//! A run chooses a number for each of them where it is declared. Most are given another value
//! before anything reads them, and such a choice is none that a person wants to hear of.

use ir::Variable;
use std::collections::BTreeMap;

/// A variable of a call: how many calls there are, 0 for globals, and which it is.
type Key = (usize, Variable);

/// The choices of a run, and the variables whose choice nothing has read so far.
#[derive(Default)]
pub(super) struct Unset {
    waiting: BTreeMap<Key, usize>,
    variables: BTreeMap<usize, Variable>,
    /// Of each choice, whether anything reads it.
    are_read: Vec<bool>,
}

impl Unset {
    /// A choice is made: for a variable that is declared, or for what is read at once.
    pub(super) fn chosen(&mut self, declared: Option<Key>) {
        if let Some(key) = declared {
            self.waiting.insert(key, self.are_read.len());
            self.variables.insert(self.are_read.len(), key.1);
        }
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

    /// The variable that a choice was made for where it was declared.
    pub(super) fn variable(&self, choice: usize) -> Option<Variable> {
        self.variables.get(&choice).copied()
    }

    /// Whether anything has read a choice.
    pub(super) fn is_read(&self, choice: usize) -> bool {
        self.are_read.get(choice).copied().unwrap_or(true)
    }
}

#[cfg(test)]
mod tests {
    use super::Unset;
    use ir::Variable;

    #[test]
    fn a_choice_is_read_before_its_variable_is_written() {
        let [one, other] = [0, 1].map(|it| (1, Variable::at(it)));
        let mut unset = Unset::default();
        unset.chosen(Some(one));
        unset.chosen(Some(other));
        unset.chosen(None);
        unset.writes(one);
        assert!(!unset.reads(one));
        assert!(unset.reads(other));
        assert!(!unset.reads(other), "the second look is none at something new");
        assert_eq!(unset.variable(1), Some(other.1));
        assert_eq!([0, 1, 2].map(|it| unset.is_read(it)), [false, true, true]);
    }
}
