//! Random formulas of computation tree logic, and where they hold in a graph: by fixpoints,
//! and by paths.

use super::program::{Graph, Program, Test};
use super::random::Random;

/// Of which paths an operator speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    All,
    Exists,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Future,
    Globally,
    Until,
    WeakUntil,
}

/// A formula without the next step.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Test(Test),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    /// `F` and `G` have no first operand.
    Path(Quantifier, Operator, Option<Box<Formula>>, Box<Formula>),
}

/// What formulas are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flavour {
    /// Only of operators with this quantifier; only tests are negated.
    Only(Quantifier),
    Mixed,
}

impl Formula {
    /// A formula with at most so many operators above each other.
    pub(crate) fn random(
        random: &mut Random,
        program: &Program,
        depth: usize,
        flavour: Flavour,
    ) -> Self {
        if depth == 0 {
            return Self::Test(program.test(random));
        }
        let inner = |random: &mut Random| {
            let depth = if random.below(3) == 0 { random.below(depth) } else { depth - 1 };
            Box::new(Self::random(random, program, depth, flavour))
        };
        let test = |random: &mut Random| Box::new(Self::Test(program.test(random)));
        let quantifier = match flavour {
            Flavour::Only(quantifier) => quantifier,
            Flavour::Mixed => [Quantifier::All, Quantifier::Exists][random.below(2)],
        };
        match random.below(12) {
            0 if flavour == Flavour::Mixed => Self::Not(inner(random)),
            0 => Self::Not(test(random)),
            1 => Self::And(inner(random), inner(random)),
            2 => Self::Or(inner(random), inner(random)),
            3 | 4 => {
                // The usual shape: AG(test -> ...)
                let implies = Self::Implies(test(random), inner(random));
                Self::Path(quantifier, Operator::Globally, None, Box::new(implies))
            }
            number @ 5..=8 => {
                let operator = [Operator::Future, Operator::Globally][number % 2];
                Self::Path(quantifier, operator, None, inner(random))
            }
            number => {
                let operator = [Operator::Until, Operator::WeakUntil][number % 2];
                Self::Path(quantifier, operator, Some(inner(random)), inner(random))
            }
        }
    }

    /// The variables that it speaks of.
    pub(crate) fn variables(&self) -> Vec<usize> {
        match self {
            Self::Test(test) => vec![test.variable],
            Self::Not(operand) => operand.variables(),
            Self::And(left, right) | Self::Or(left, right) | Self::Implies(left, right) => {
                [left.variables(), right.variables()].concat()
            }
            Self::Path(_, _, left, right) => {
                let left = left.as_ref().map_or_else(Vec::new, |it| it.variables());
                [left, right.variables()].concat()
            }
        }
    }

    /// The formula in one of the notations that are in use.
    pub(crate) fn text(&self, random: &mut Random) -> String {
        match self {
            Self::Test(test) => test.proposition(),
            Self::Not(operand) => format!("!({})", operand.text(random)),
            Self::And(left, right) => between(["&&", "/\\"], (left, right), random),
            Self::Or(left, right) => between(["||", "\\/"], (left, right), random),
            Self::Implies(left, right) => between(["->", "=>"], (left, right), random),
            Self::Path(quantifier, operator, left, right) => {
                let all = if *quantifier == Quantifier::All { "A" } else { "E" };
                let letter = match operator {
                    Operator::Future => "F",
                    Operator::Globally => "G",
                    Operator::Until => "U",
                    Operator::WeakUntil => "W",
                };
                let right = right.text(random);
                let Some(left) = left.as_ref().map(|it| it.text(random)) else {
                    return match random.below(3) {
                        0 => format!("[{all}{letter}]({right})"),
                        1 => format!("{all} {letter} ({right})"),
                        _ => format!("{all}{letter}({right})"),
                    };
                };
                match random.below(3) {
                    0 => format!("[{all}{letter}]({left}, {right})"),
                    1 => format!("{all}(({left}) {letter} ({right}))"),
                    _ => format!("{all}[{left} {letter} {right}]"),
                }
            }
        }
    }

    /// The states where it holds, by fixpoints (Clarke, Emerson and Sistla, TOPLAS 1986).
    pub(crate) fn holds(&self, graph: &Graph) -> Vec<bool> {
        match self {
            Self::Test(test) => graph.values.iter().map(|it| test.holds(it)).collect(),
            Self::Not(operand) => not(&operand.holds(graph)),
            Self::And(left, right) => and(&left.holds(graph), &right.holds(graph)),
            Self::Or(left, right) => or(&left.holds(graph), &right.holds(graph)),
            Self::Implies(left, right) => or(&not(&left.holds(graph)), &right.holds(graph)),
            Self::Path(quantifier, operator, left, right) => {
                let right = right.holds(graph);
                let everywhere = vec![true; right.len()];
                let left = left.as_ref().map_or(everywhere, |it| it.holds(graph));
                let neither = and(&not(&left), &not(&right));
                match (quantifier, operator) {
                    (Quantifier::Exists, Operator::Globally) => for_ever(graph, &right),
                    (Quantifier::Exists, Operator::Future | Operator::Until) => {
                        until(graph, &left, &right)
                    }
                    (Quantifier::Exists, Operator::WeakUntil) => {
                        or(&until(graph, &left, &right), &for_ever(graph, &left))
                    }
                    (Quantifier::All, Operator::Globally) => {
                        not(&until(graph, &everywhere_in(graph), &not(&right)))
                    }
                    (Quantifier::All, Operator::Future | Operator::Until) => {
                        let never = for_ever(graph, &not(&right));
                        not(&or(&until(graph, &not(&right), &neither), &never))
                    }
                    (Quantifier::All, Operator::WeakUntil) => {
                        not(&until(graph, &not(&right), &neither))
                    }
                }
            }
        }
    }

    /// The states where it holds, as it is defined: by the paths from each state. In a graph
    /// of few states, paths that repeat what follows their first return to a state are enough:
    /// an operator's operands hold in states, whatever the path there.
    pub(crate) fn holds_by_paths(&self, graph: &Graph) -> Vec<bool> {
        let Self::Path(quantifier, operator, left, right) = self else {
            return match self {
                Self::Not(operand) => not(&operand.holds_by_paths(graph)),
                Self::And(left, right) => {
                    and(&left.holds_by_paths(graph), &right.holds_by_paths(graph))
                }
                Self::Or(left, right) => {
                    or(&left.holds_by_paths(graph), &right.holds_by_paths(graph))
                }
                Self::Implies(left, right) => {
                    or(&not(&left.holds_by_paths(graph)), &right.holds_by_paths(graph))
                }
                Self::Test(_) | Self::Path(..) => self.holds(graph),
            };
        };
        let right = right.holds_by_paths(graph);
        let left = left.as_ref().map_or(everywhere_in(graph), |it| it.holds_by_paths(graph));
        let on_path = |path: &Vec<usize>| {
            let first = path.iter().position(|state| right[*state]);
            let is_left = |states: &[usize]| states.iter().all(|state| left[*state]);
            match operator {
                Operator::Globally => path.iter().all(|state| right[*state]),
                Operator::Future => first.is_some(),
                Operator::Until => first.is_some_and(|end| is_left(&path[..end])),
                Operator::WeakUntil => is_left(&path[..first.unwrap_or(path.len())]),
            }
        };
        let of_state = |state: usize| {
            let mut paths = paths(graph, vec![state]).into_iter();
            match quantifier {
                Quantifier::All => paths.all(|path| on_path(&path)),
                Quantifier::Exists => paths.any(|path| on_path(&path)),
            }
        };
        (0..graph.values.len()).map(of_state).collect()
    }
}

fn between(
    operators: [&str; 2],
    (left, right): (&Formula, &Formula),
    random: &mut Random,
) -> String {
    let operator = operators[random.below(2)];
    format!("({}) {operator} ({})", left.text(random), right.text(random))
}

/// The states of all paths that go on from a part until a state returns.
fn paths(graph: &Graph, part: Vec<usize>) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for next in &graph.successors[part[part.len() - 1]] {
        if part.contains(next) {
            found.push(part.clone());
        } else {
            let mut longer = part.clone();
            longer.push(*next);
            found.extend(paths(graph, longer));
        }
    }
    found
}

fn everywhere_in(graph: &Graph) -> Vec<bool> {
    vec![true; graph.values.len()]
}

fn not(states: &[bool]) -> Vec<bool> {
    states.iter().map(|it| !it).collect()
}

fn and(left: &[bool], right: &[bool]) -> Vec<bool> {
    left.iter().zip(right).map(|(left, right)| *left && *right).collect()
}

fn or(left: &[bool], right: &[bool]) -> Vec<bool> {
    left.iter().zip(right).map(|(left, right)| *left || *right).collect()
}

/// The least set that has the states of `right`, and those of `left` with a successor in it.
fn until(graph: &Graph, left: &[bool], right: &[bool]) -> Vec<bool> {
    let mut found = right.to_vec();
    loop {
        let has_one = |state: usize| graph.successors[state].iter().any(|it| found[*it]);
        let more: Vec<bool> =
            (0..found.len()).map(|it| found[it] || (left[it] && has_one(it))).collect();
        if more == found {
            return found;
        }
        found = more;
    }
}

/// The greatest set of states of `inside` with a successor in it.
fn for_ever(graph: &Graph, inside: &[bool]) -> Vec<bool> {
    let mut found = inside.to_vec();
    loop {
        let has_one = |state: usize| graph.successors[state].iter().any(|it| found[*it]);
        let fewer: Vec<bool> = (0..found.len()).map(|it| found[it] && has_one(it)).collect();
        if fewer == found {
            return found;
        }
        found = fewer;
    }
}
