//! What a run was given to read, and what may be given instead.

use super::random::Random;
use super::words::Words;
use std::collections::VecDeque;

/// Numbers and pieces of text in the order in which a run reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Script {
    /// Lines of streams, with their ends.
    pub(super) lines: VecDeque<Vec<u8>>,
    /// What the program is started with, behind its name.
    pub(super) arguments: VecDeque<Vec<u8>>,
    /// What memory holds that a read put there, or that nothing was written to.
    pub(super) blocks: VecDeque<Vec<u8>>,
    /// Other numbers.
    pub(super) numbers: VecDeque<i128>,
}

/// What lists of pieces are of.
#[derive(Clone, Copy)]
enum List {
    Lines,
    Arguments,
    Blocks,
}

impl Script {
    pub(super) fn is_empty(&self) -> bool {
        self.length() == 0 && self.numbers.is_empty()
    }

    /// How many pieces of text it has.
    pub(super) fn length(&self) -> usize {
        self.lines.len() + self.arguments.len() + self.blocks.len()
    }

    /// One like this, with a little of another one: pieces come, go, change places or bytes.
    pub(super) fn changed(&self, other: &Self, words: &Words, random: &mut Random) -> Self {
        let mut changed = self.clone();
        for _ in 0..=random.below(3) {
            let mut lists = Vec::new();
            lists.extend((!self.lines.is_empty()).then_some(List::Lines));
            lists.extend((!self.arguments.is_empty()).then_some(List::Arguments));
            lists.extend((!self.blocks.is_empty()).then_some(List::Blocks));
            match random.of(&lists) {
                Some(List::Lines) => change(&mut changed.lines, &other.lines, words, random),
                Some(List::Arguments) => {
                    change(&mut changed.arguments, &other.arguments, words, random);
                }
                Some(List::Blocks) => change(&mut changed.blocks, &other.blocks, words, random),
                None => {}
            }
            if lists.is_empty() || random.below(4) == 0 {
                change_number(&mut changed.numbers, words, random);
            }
        }
        changed
    }
}

/// Changes one thing of a list of pieces.
fn change(
    pieces: &mut VecDeque<Vec<u8>>,
    others: &VecDeque<Vec<u8>>,
    words: &Words,
    random: &mut Random,
) {
    let at = random.position(pieces.len());
    match random.below(10) {
        0 | 1 => {
            if let Some(piece) = others.get(random.position(others.len())) {
                pieces.push_back(piece.clone());
            }
        }
        2 => {
            if let Some(piece) = others.get(random.position(others.len())) {
                pieces.insert(at, piece.clone());
            }
        }
        3 => {
            let from = random.position(others.len());
            pieces.truncate(at);
            pieces.extend(others.iter().skip(from).cloned());
        }
        4 => {
            pieces.remove(at);
        }
        5 => {
            if let Some(piece) = pieces.get(at).cloned() {
                pieces.push_back(piece);
            }
        }
        6 => {
            let with = random.position(pieces.len());
            if at < pieces.len() {
                pieces.swap(at, with);
            }
        }
        7 | 8 => {
            if let Some(piece) = pieces.get_mut(at) {
                change_digits(piece, words, random);
            }
        }
        _ => {
            if let Some(piece) = pieces.get_mut(at) {
                change_sign(piece, words, random);
            }
        }
    }
}

/// Puts another number where one stands.
fn change_digits(piece: &mut Vec<u8>, words: &Words, random: &mut Random) {
    let is_start =
        |at: usize| piece[at].is_ascii_digit() && (at == 0 || !piece[at - 1].is_ascii_digit());
    let starts: Vec<usize> = (0..piece.len()).filter(|at| is_start(*at)).collect();
    let Some(start) = random.of(&starts) else { return change_sign(piece, words, random) };
    let length = piece[start..].iter().take_while(|it| it.is_ascii_digit()).count();
    let number = any_number(words, random).max(0).to_string();
    piece.splice(start..start + length, number.into_bytes());
}

/// Puts another sign somewhere, adds one or takes one away; never the end of a line.
fn change_sign(piece: &mut Vec<u8>, words: &Words, random: &mut Random) {
    let length = piece.len() - usize::from(piece.ends_with(b"\n"));
    let at = random.position(length);
    let sign = random.of(&words.signs).unwrap_or(b'a');
    match random.below(3) {
        0 => piece.insert(at, sign),
        1 if length > 0 => piece[at] = sign,
        _ if length > 1 => {
            piece.remove(at);
        }
        _ => {}
    }
}

fn change_number(numbers: &mut VecDeque<i128>, words: &Words, random: &mut Random) {
    let at = random.position(numbers.len());
    if let Some(number) = numbers.get_mut(at) {
        *number = any_number(words, random);
    }
}

/// A small number, or one near those that the program knows.
fn any_number(words: &Words, random: &mut Random) -> i128 {
    let known = random.of(&words.numbers).unwrap_or(2);
    match random.below(6) {
        0 => known,
        1 => known - 1,
        2 => known + 1,
        _ => i128::from(random.below(12)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Script, change_digits};
    use crate::texts::random::Random;
    use crate::texts::words::Words;
    use std::collections::BTreeSet;

    #[test]
    fn what_is_changed_is_as_before_for_a_large_part() {
        let words = Words { words: Vec::new(), signs: b"ab".to_vec(), numbers: vec![7] };
        let lines = [b"add 1 a\n".to_vec(), b"get\n".to_vec()];
        let script = Script { lines: lines.clone().into(), ..Script::default() };
        let mut random = Random::new(1);
        let changed: Vec<Script> =
            (0..200).map(|_| script.changed(&script, &words, &mut random)).collect();
        let keeps = |it: &&Script| it.lines.iter().any(|line| lines.contains(line));
        assert!(changed.iter().filter(keeps).count() > 150);
        assert!(changed.iter().any(|it| it.lines.len() > 2), "lines are added");
        assert!(changed.iter().any(|it| it.lines == [b"get\n".to_vec()]), "and taken away");
    }

    #[test]
    fn numbers_are_replaced_as_a_whole() {
        let words = Words { words: Vec::new(), signs: b"x".to_vec(), numbers: vec![100] };
        let mut random = Random::new(3);
        let mut seen = BTreeSet::new();
        for _ in 0..100 {
            let mut piece = b"add 12 a\n".to_vec();
            change_digits(&mut piece, &words, &mut random);
            seen.insert(String::from_utf8(piece).unwrap());
        }
        assert!(seen.contains("add 100 a\n") && seen.contains("add 3 a\n"));
        assert!(seen.iter().all(|it| it.starts_with("add ") && it.ends_with(" a\n")));
    }
}
