//! The automaton of a formula against the formula itself: both are asked about words that are
//! repeated from some place on, and the formula is evaluated there as it is defined.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::collections::BTreeSet;

use wane::temporal::buchi::{Automaton, automaton};
use wane::temporal::formula::{Polarity, Table};
use wane_grammar::SyntaxError;
use wane_grammar::temporal::Logic;
use wane_grammar::temporal::tree::{Connective, Interval, Modality, Paths, Tree};

/// The propositions, as a text that atoms point into.
const TEXT: &str = "abc";
const N_FORMULAS: usize = 4_000;
const N_WORDS: usize = 25;

/// A fixed pseudo-random sequence.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

fn parse(text: &str) -> Result<Tree, SyntaxError> {
    wane_grammar::temporal::parse(text, Logic::Linear).map(|it| it.tree)
}

fn formula(random: &mut Sequence, depth: usize) -> Tree {
    let operand = |random: &mut Sequence| Box::new(formula(random, depth - 1));
    match if depth == 0 { 0 } else { random.below(10) } {
        0 | 1 => {
            let at = random.below(TEXT.len());
            Tree::Atom(at, at + 1)
        }
        2 => Tree::Not(operand(random)),
        3..=5 => {
            let operators = [Modality::Globally, Modality::Future, Modality::Next];
            Tree::Modal(Paths::Own, operators[random.below(3)], operand(random))
        }
        6 | 7 => {
            let operators = [Connective::And, Connective::Or, Connective::Implies, Connective::Iff];
            Tree::Connected(operators[random.below(4)], operand(random), operand(random))
        }
        _ => {
            let operators = [Interval::Until, Interval::WeakUntil, Interval::Release];
            Tree::Bounded(Paths::Own, operators[random.below(3)], operand(random), operand(random))
        }
    }
}

/// A word `u v v v …`: letters are sets of propositions.
struct Word {
    letters: Vec<[bool; 3]>,
    /// Where `v` starts.
    back: usize,
}

impl Word {
    fn random(random: &mut Sequence) -> Self {
        let n_letters = 1 + random.below(6);
        let letter = |random: &mut Sequence| [0; 3].map(|_| random.below(2) == 1);
        let letters = (0..n_letters).map(|_| letter(random)).collect();
        Self { letters, back: random.below(n_letters) }
    }

    fn next(&self, at: usize) -> usize {
        if at + 1 < self.letters.len() { at + 1 } else { self.back }
    }

    /// Where the formula holds.
    fn places(&self, tree: &Tree) -> Vec<bool> {
        let all = 0..self.letters.len();
        match tree {
            Tree::Atom(at, _) => self.letters.iter().map(|letter| letter[*at]).collect(),
            Tree::Not(operand) => self.places(operand).iter().map(|holds| !holds).collect(),
            Tree::Modal(_, operator, operand) => {
                let inner = self.places(operand);
                let always = vec![true; inner.len()];
                match operator {
                    Modality::Next => all.map(|at| inner[self.next(at)]).collect(),
                    Modality::Future => self.until(&always, &inner),
                    Modality::Globally => {
                        let fails: Vec<bool> = inner.iter().map(|holds| !holds).collect();
                        self.until(&always, &fails).iter().map(|holds| !holds).collect()
                    }
                }
            }
            Tree::Connected(operator, left, right) => {
                let combine = |(a, b): (bool, bool)| match operator {
                    Connective::And => a && b,
                    Connective::Or => a || b,
                    Connective::Implies => !a || b,
                    Connective::Iff => a == b,
                };
                self.places(left).into_iter().zip(self.places(right)).map(combine).collect()
            }
            Tree::Bounded(_, operator, left, right) => {
                let (left, right) = (self.places(left), self.places(right));
                match operator {
                    Interval::Until => self.until(&left, &right),
                    // It holds until the second does, or for ever.
                    Interval::WeakUntil => {
                        all.map(|at| self.weak_until(&left, &right, at)).collect()
                    }
                    // The second holds up to where both do, or for ever.
                    Interval::Release => {
                        let both: Vec<bool> =
                            left.iter().zip(&right).map(|(a, b)| *a && *b).collect();
                        all.map(|at| self.weak_until(&right, &both, at)).collect()
                    }
                }
            }
        }
    }

    fn until(&self, left: &[bool], right: &[bool]) -> Vec<bool> {
        let holds = |start: usize| {
            let mut at = start;
            for _ in 0..2 * self.letters.len() {
                if right[at] {
                    return true;
                }
                if !left[at] {
                    return false;
                }
                at = self.next(at);
            }
            false
        };
        (0..self.letters.len()).map(holds).collect()
    }

    fn weak_until(&self, left: &[bool], right: &[bool], start: usize) -> bool {
        let mut at = start;
        for _ in 0..2 * self.letters.len() {
            if right[at] {
                return true;
            }
            if !left[at] {
                return false;
            }
            at = self.next(at);
        }
        true
    }

    /// Whether the automaton accepts the word: whether a cycle of the product that it can reach
    /// meets all acceptance sets. Everything is followed one by one.
    fn is_accepted(&self, automaton: &Automaton) -> bool {
        let fits = |at: usize, state: usize| {
            let literals = &automaton.states[state].literals;
            literals.iter().all(|(proposition, holds)| self.letters[at][*proposition] == *holds)
        };
        let successors = |(at, state): (usize, usize)| {
            let next = self.next(at);
            let states = automaton.states[state].next.iter().copied();
            states.filter(move |it| fits(next, *it)).map(move |it| (next, it))
        };
        let from = |starts: Vec<(usize, usize)>| {
            let (mut seen, mut open) = (BTreeSet::new(), starts);
            while let Some(place) = open.pop() {
                if seen.insert(place) {
                    open.extend(successors(place));
                }
            }
            seen
        };
        let starts = automaton.initial.iter().copied().filter(|it| fits(0, *it));
        let reached = from(starts.map(|state| (0, state)).collect());
        reached.iter().any(|start| {
            let cycle: BTreeSet<(usize, usize)> = from(successors(*start).collect());
            let is_back =
                |place: &&(usize, usize)| from(successors(**place).collect()).contains(start);
            let component: Vec<_> = cycle.iter().filter(is_back).collect();
            let mut sets = 0..automaton.n_sets;
            cycle.contains(start)
                && sets.all(|set| {
                    component
                        .iter()
                        .any(|(_, state)| automaton.states[*state].accepts.contains(&set))
                })
        })
    }
}

#[test]
fn automata_accept_the_words_that_satisfy_their_formulas() {
    let mut random = Sequence(7);
    let (mut n_pairs, mut n_holds) = (0, 0);
    for _ in 0..N_FORMULAS {
        let depth = 1 + random.below(3);
        let tree = formula(&mut random, depth);
        for polarity in [Polarity::Positive, Polarity::Negative] {
            let mut table = Table::default();
            let normal_form = table.normal_form(&tree, TEXT, polarity);
            let automaton = automaton(&table, normal_form, 2_000).unwrap();
            // The table numbers the propositions as it meets them.
            let order: Vec<usize> = table.propositions.iter().map(|it| it.start).collect();
            for _ in 0..N_WORDS {
                let word = Word::random(&mut random);
                let holds = word.places(&tree)[0] == (polarity == Polarity::Positive);
                let renamed = |letter: &[bool; 3]| {
                    let mut renamed = [false; 3];
                    for (number, start) in order.iter().enumerate() {
                        renamed[number] = letter[*start];
                    }
                    renamed
                };
                let letters = word.letters.iter().map(renamed).collect();
                let seen = Word { letters, back: word.back };
                assert_eq!(seen.is_accepted(&automaton), holds, "{tree:?} {:?}", word.letters);
                n_pairs += 1;
                n_holds += usize::from(holds);
            }
        }
    }
    assert!(n_pairs >= 100_000, "{n_pairs}");
    assert!(n_holds * 4 > n_pairs && n_holds * 4 < 3 * n_pairs, "{n_holds} of {n_pairs}");
}

/// States of automata for the negations of well-known formulas.
#[test]
fn automata_are_small() {
    let sizes = [
        ("G p", 3),
        ("F p", 1),
        ("G F p", 2),
        ("F G p", 2),
        ("p U q", 3),
        ("G(p -> F q)", 3),
        ("G F p -> G F q", 4),
        ("G(p -> X q)", 4),
    ];
    for (text, most) in sizes {
        let mut table = Table::default();
        let tree = parse(text).unwrap();
        let negation = table.normal_form(&tree, text, Polarity::Negative);
        let automaton = automaton(&table, negation, 100).unwrap();
        assert!(automaton.states.len() <= most, "{text}: {} states", automaton.states.len());
    }
}

#[test]
fn formulas_are_read_in_the_notations_that_are_in_use() {
    let same = [
        ("G(p -> F q)", "[](AP(p) ==> <>(AP(q)))"),
        ("GF p", "[]<> p"),
        ("FG !p", "F G (!p)"),
        ("p U q || r", "p U (q || r)"),
        ("p && q => r", "(p /\\ q) -> r"),
        ("\"p\" U (G(\"q\" \\/ r))", "p U G(q || r)"),
    ];
    for (left, right) in same {
        let read = |text: &str| {
            let mut table = Table::default();
            let id = table.normal_form(&parse(text).unwrap(), text, Polarity::Positive);
            let names: Vec<String> = table.propositions.iter().map(|it| it.text.clone()).collect();
            (automaton(&table, id, 100).unwrap(), names)
        };
        assert_eq!(read(left), read(right), "{left}; {right}");
    }
    for text in ["G(p", "p U", "p + (F q) == 1", "G (p == ) q", "p q", "F"] {
        assert!(parse(text).is_err(), "{text}");
    }
    // A word of many operators is as deep as many words.
    for text in ["G".repeat(100_000) + "(p)", "G ".repeat(100_000) + "p"] {
        let error = parse(&text).err().map(|it| it.message);
        assert_eq!(error, Some("a formula has at most 2000 words and signs".to_owned()));
    }
}
