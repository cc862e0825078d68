//! In which order branches of many kinds are tried: each kind has its turn, however many
//! branches others have.

use std::collections::{BTreeMap, VecDeque};

/// So many branches that nothing leads to count as one that was taken: they cost less, and
/// behind other decisions the next one of the kind may be taken.
const FRUITLESS: usize = 4;

/// How many branches may wait.
const MAX_WAITING: usize = 20_000;

/// Branches that wait, by kind.
pub(super) struct Agenda<K, B> {
    kinds: BTreeMap<K, Waiting<B>>,
    n_noted: u64,
    n_waiting: usize,
}

/// The branches of one kind, the first one first, each with its number among all.
struct Waiting<B> {
    branches: VecDeque<(u64, B)>,
    cost: usize,
}

impl<K: Copy + Ord, B> Agenda<K, B> {
    pub(super) fn new() -> Self {
        Self { kinds: BTreeMap::new(), n_noted: 0, n_waiting: 0 }
    }

    /// Notes a branch, unless there are many.
    pub(super) fn note(&mut self, kind: K, branch: B) {
        if self.n_waiting < MAX_WAITING {
            self.n_waiting += 1;
            self.n_noted += 1;
            let new = || Waiting { branches: VecDeque::new(), cost: 0 };
            self.kinds.entry(kind).or_insert_with(new).branches.push_back((self.n_noted, branch));
        }
    }

    /// The oldest branch of the kind that has had the fewest turns.
    pub(super) fn next(&mut self) -> Option<B> {
        let waiting = self.kinds.values_mut().filter(|it| !it.branches.is_empty());
        let kind =
            waiting.min_by_key(|it| (it.cost, it.branches.front().map(|(number, _)| *number)));
        let (_, branch) = kind?.branches.pop_front()?;
        self.n_waiting -= 1;
        Some(branch)
    }

    /// Notes that a branch of this kind was taken.
    pub(super) fn taken(&mut self, kind: K) {
        self.add_cost(kind, FRUITLESS);
    }

    /// Notes that nothing leads to a branch of this kind.
    pub(super) fn fruitless(&mut self, kind: K) {
        self.add_cost(kind, 1);
    }

    fn add_cost(&mut self, kind: K, cost: usize) {
        if let Some(waiting) = self.kinds.get_mut(&kind) {
            waiting.cost += cost;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Agenda;

    #[test]
    fn each_kind_has_its_turn() {
        let mut agenda = Agenda::new();
        for branch in 0..3 {
            agenda.note('a', branch);
        }
        agenda.note('b', 10);
        assert_eq!(agenda.next(), Some(0));
        agenda.taken('a');
        assert_eq!(agenda.next(), Some(10), "it is b's turn");
        agenda.fruitless('b');
        agenda.note('b', 11);
        assert_eq!(agenda.next(), Some(11), "b was not taken yet");
        agenda.taken('b');
        assert_eq!([agenda.next(), agenda.next(), agenda.next()], [Some(1), Some(2), None]);
    }
}
