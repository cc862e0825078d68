//! Formulas of computation tree logic in positive normal form (FMSD'12 §3, with the
//! existential operators): negations stand before propositions only.

use super::formula::{Atom, Polarity, Proposition, atom};
use base::typed_index;
use std::collections::BTreeMap;
use wane_grammar::ctl::tree::{Quantifier, Tree};
use wane_grammar::quoted::c_text;

typed_index!(
    /// A formula of a [`Table`].
    FormulaId
);

/// Of which paths from a state an operator speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paths {
    /// All of them.
    All,
    /// At least one.
    Some,
}

/// A formula whose parts are in the same table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Formula {
    /// `true`
    True,
    /// `false`
    False,
    /// A proposition holds, or does not.
    Literal {
        /// Which, by number.
        proposition: usize,
        /// Whether it holds.
        holds: bool,
    },
    /// Both hold.
    And(FormulaId, FormulaId),
    /// One of them holds.
    Or(FormulaId, FormulaId),
    /// On these paths it holds in the next state.
    Next(Paths, FormulaId),
    /// On these paths the second holds at some time, and until then the first.
    Until(Paths, FormulaId, FormulaId),
    /// On these paths the first holds until the second does, or for ever.
    WeakUntil(Paths, FormulaId, FormulaId),
}

/// The formulas that a formula is made of, each once, parts before wholes.
#[derive(Clone, Debug, Default)]
pub struct Table {
    formulas: Vec<Formula>,
    ids: BTreeMap<Formula, FormulaId>,
    /// The texts of the propositions: C expressions, with where they were written first.
    pub propositions: Vec<Proposition>,
}

impl Paths {
    fn dual(self) -> Self {
        match self {
            Self::All => Self::Some,
            Self::Some => Self::All,
        }
    }
}

impl Table {
    /// The formula with a number.
    #[must_use]
    pub fn get(&self, id: FormulaId) -> Formula {
        self.formulas[id.index()]
    }

    /// All formulas, parts before wholes.
    pub fn ids(&self) -> impl Iterator<Item = FormulaId> + use<> {
        (0..self.formulas.len()).map(FormulaId::at)
    }

    /// Calls `visit` for a formula and all of its parts, some of them several times.
    pub fn for_each_part(&self, id: FormulaId, visit: &mut impl FnMut(FormulaId)) {
        visit(id);
        match self.get(id) {
            Formula::True | Formula::False | Formula::Literal { .. } => {}
            Formula::Next(_, operand) => self.for_each_part(operand, visit),
            Formula::And(left, right)
            | Formula::Or(left, right)
            | Formula::Until(_, left, right)
            | Formula::WeakUntil(_, left, right) => {
                self.for_each_part(left, visit);
                self.for_each_part(right, visit);
            }
        }
    }

    /// Whether a formula speaks of one state only.
    #[must_use]
    pub fn is_propositional(&self, id: FormulaId) -> bool {
        match self.get(id) {
            Formula::True | Formula::False | Formula::Literal { .. } => true,
            Formula::And(left, right) | Formula::Or(left, right) => {
                self.is_propositional(left) && self.is_propositional(right)
            }
            Formula::Next(..) | Formula::Until(..) | Formula::WeakUntil(..) => false,
        }
    }

    /// The formula that was read from `text`, or its negation, in positive normal form.
    pub fn normal_form(&mut self, tree: &Tree, text: &str, polarity: Polarity) -> FormulaId {
        let is_positive = polarity == Polarity::Positive;
        let paths = |quantifier: Quantifier| {
            let written = match quantifier {
                Quantifier::All => Paths::All,
                Quantifier::Exists => Paths::Some,
            };
            if is_positive { written } else { written.dual() }
        };
        match tree {
            Tree::Atom(start, end) => {
                let (shift, atom) = c_text(&text[*start..*end]);
                self.literal(start + shift, &atom, polarity)
            }
            Tree::Not(operand) => self.normal_form(operand, text, polarity.negated()),
            Tree::And(left, right) | Tree::Or(left, right) => {
                let is_and = matches!(tree, Tree::And(..)) == is_positive;
                let [left, right] = [left, right].map(|it| self.normal_form(it, text, polarity));
                if is_and { self.and(left, right) } else { self.or(left, right) }
            }
            Tree::Implies(left, right) => {
                let left = self.normal_form(left, text, polarity.negated());
                let right = self.normal_form(right, text, polarity);
                if is_positive { self.or(left, right) } else { self.and(left, right) }
            }
            Tree::Iff(left, right) => {
                let mut pair = |of_left: Polarity, of_right: Polarity| {
                    let left = self.normal_form(left, text, of_left);
                    let right = self.normal_form(right, text, of_right);
                    self.and(left, right)
                };
                let first = pair(polarity, Polarity::Positive);
                let second = pair(polarity.negated(), Polarity::Negative);
                self.or(first, second)
            }
            Tree::Next(quantifier, operand) => {
                let operand = self.normal_form(operand, text, polarity);
                self.next(paths(*quantifier), operand)
            }
            Tree::Future(quantifier, operand) | Tree::Globally(quantifier, operand) => {
                let is_future = matches!(tree, Tree::Future(..)) == is_positive;
                let operand = self.normal_form(operand, text, polarity);
                if is_future {
                    let top = self.add(Formula::True);
                    self.until(paths(*quantifier), top, operand)
                } else {
                    let bottom = self.add(Formula::False);
                    self.weak_until(paths(*quantifier), operand, bottom)
                }
            }
            Tree::Until(quantifier, left, right) | Tree::WeakUntil(quantifier, left, right) => {
                let is_strong = matches!(tree, Tree::Until(..)) == is_positive;
                let [left, right] = [left, right].map(|it| self.normal_form(it, text, polarity));
                // Not (a U b): not b, until neither holds, or for ever.
                let (left, right) =
                    if is_positive { (left, right) } else { (right, self.and(left, right)) };
                if is_strong {
                    self.until(paths(*quantifier), left, right)
                } else {
                    self.weak_until(paths(*quantifier), left, right)
                }
            }
        }
    }

    /// The negation of a formula.
    pub fn negation(&mut self, id: FormulaId) -> FormulaId {
        match self.get(id) {
            Formula::True => self.add(Formula::False),
            Formula::False => self.add(Formula::True),
            Formula::Literal { proposition, holds } => {
                self.add(Formula::Literal { proposition, holds: !holds })
            }
            Formula::And(left, right) => {
                let [left, right] = [left, right].map(|it| self.negation(it));
                self.or(left, right)
            }
            Formula::Or(left, right) => {
                let [left, right] = [left, right].map(|it| self.negation(it));
                self.and(left, right)
            }
            Formula::Next(paths, operand) => {
                let operand = self.negation(operand);
                self.next(paths.dual(), operand)
            }
            Formula::Until(paths, left, right) => {
                let [left, right] = [left, right].map(|it| self.negation(it));
                let neither = self.and(left, right);
                self.weak_until(paths.dual(), right, neither)
            }
            Formula::WeakUntil(paths, left, right) => {
                let [left, right] = [left, right].map(|it| self.negation(it));
                let neither = self.and(left, right);
                self.until(paths.dual(), right, neither)
            }
        }
    }

    fn add(&mut self, formula: Formula) -> FormulaId {
        let next = FormulaId::at(self.formulas.len());
        let id = *self.ids.entry(formula).or_insert(next);
        if id == next {
            self.formulas.push(formula);
        }
        id
    }

    fn literal(&mut self, start: usize, text: &str, polarity: Polarity) -> FormulaId {
        let holds = polarity == Polarity::Positive;
        let formula = match atom(&mut self.propositions, start, text) {
            Atom::Constant(value) if value == holds => Formula::True,
            Atom::Constant(_) => Formula::False,
            Atom::Proposition(proposition) => Formula::Literal { proposition, holds },
        };
        self.add(formula)
    }

    /// That a run goes on from here: `EG true`, which is kept as it is.
    pub fn some_run(&mut self) -> FormulaId {
        let (top, bottom) = (self.add(Formula::True), self.add(Formula::False));
        self.add(Formula::WeakUntil(Paths::Some, top, bottom))
    }

    /// Both.
    pub fn and(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.get(left), self.get(right)) {
            (Formula::True, _) | (_, Formula::False) => right,
            (_, Formula::True) | (Formula::False, _) => left,
            _ if left == right => left,
            _ => self.add(Formula::And(left, right)),
        }
    }

    fn or(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.get(left), self.get(right)) {
            (Formula::False, _) | (_, Formula::True) => right,
            (_, Formula::False) | (Formula::True, _) => left,
            _ if left == right => left,
            _ => self.add(Formula::Or(left, right)),
        }
    }

    fn next(&mut self, paths: Paths, operand: FormulaId) -> FormulaId {
        match self.get(operand) {
            Formula::True | Formula::False => operand,
            _ => self.add(Formula::Next(paths, operand)),
        }
    }

    fn until(&mut self, paths: Paths, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.get(left), self.get(right)) {
            (_, Formula::True | Formula::False) | (Formula::False, _) => right,
            _ if left == right => right,
            // AF AF a = AF a
            (Formula::True, Formula::Until(same, inner, _))
                if same == paths && self.get(inner) == Formula::True =>
            {
                right
            }
            _ => self.add(Formula::Until(paths, left, right)),
        }
    }

    fn weak_until(&mut self, paths: Paths, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.get(left), self.get(right)) {
            (Formula::True, _) => left,
            (_, Formula::True) | (Formula::False, _) => right,
            _ if left == right => right,
            // AG AG a = AG a
            (Formula::WeakUntil(same, _, inner), Formula::False)
                if same == paths && self.get(inner) == Formula::False =>
            {
                left
            }
            _ => self.add(Formula::WeakUntil(paths, left, right)),
        }
    }
}
