//! Lists whose copies share what nobody has changed since.

use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// A list that is copied often, and changed little behind a copy.
#[derive(Clone, Debug)]
pub(super) struct SharedList<T> {
    settled: Arc<Vec<T>>,
    /// What stands in the place of entries of `settled`.
    changed: BTreeMap<usize, T>,
    /// Further entries.
    added: Vec<T>,
}

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        Self { settled: Arc::default(), changed: BTreeMap::new(), added: Vec::new() }
    }
}

impl<T> SharedList<T> {
    pub(super) fn push(&mut self, entry: T) {
        self.added.push(entry);
    }

    pub(super) fn len(&self) -> usize {
        self.settled.len() + self.added.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len()).map(|index| &self[index])
    }
}

impl<T: Clone> SharedList<T> {
    /// Copies will share all that the list has now.
    pub(super) fn settle(&mut self) {
        let settled = Arc::make_mut(&mut self.settled);
        for (index, entry) in std::mem::take(&mut self.changed) {
            settled[index] = entry;
        }
        settled.append(&mut self.added);
    }
}

impl<T> Index<usize> for SharedList<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        match self.settled.get(index) {
            Some(settled) => self.changed.get(&index).unwrap_or(settled),
            None => &self.added[index - self.settled.len()],
        }
    }
}

impl<T: Clone> IndexMut<usize> for SharedList<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        match self.settled.get(index) {
            Some(settled) => self.changed.entry(index).or_insert_with(|| settled.clone()),
            None => &mut self.added[index - self.settled.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list and its copy are told the same and different things; each is as a vector would be.
    #[test]
    fn copies_are_lists_of_their_own() {
        let mut list = SharedList::default();
        (0..4).for_each(|number| list.push(number));
        list[1] = 10;
        list.settle();
        let mut copy = list.clone();
        copy[2] = 20;
        copy.push(5);
        copy[4] = 50;
        list.push(6);
        list[0] = 60;
        let all = |list: &SharedList<i32>| list.iter().copied().collect::<Vec<_>>();
        assert_eq!(all(&copy), [0, 10, 20, 3, 50]);
        assert_eq!(all(&list), [60, 10, 2, 3, 6]);
        copy.settle();
        copy[2] = 21;
        assert_eq!(all(&copy), [0, 10, 21, 3, 50]);
        assert_eq!((list.len(), copy.len()), (5, 5));
    }
}
