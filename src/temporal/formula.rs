//! Formulas in negation normal form.

use std::collections::BTreeMap;

use crate::typed_index;
use wane_grammar::ltl::tree::{Binary, Tree, Unary};

typed_index!(
    /// A formula of a [`Table`].
    FormulaId
);

/// A formula whose parts are in the same table. Negations stand before propositions only.
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
    /// It holds in the next state.
    Next(FormulaId),
    /// The second holds at some time, and until then the first.
    Until(FormulaId, FormulaId),
    /// The second holds until both do, or for ever.
    Release(FormulaId, FormulaId),
}

/// The formulas that a formula is made of, each once.
#[derive(Clone, Debug, Default)]
pub struct Table {
    formulas: Vec<Formula>,
    ids: BTreeMap<Formula, FormulaId>,
    /// The texts of the propositions: C expressions, with where they were written first.
    pub propositions: Vec<Proposition>,
}

/// A C expression of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposition {
    /// Its text.
    pub text: String,
    /// The byte of the formula where it starts.
    pub start: usize,
}

impl Table {
    /// The formula with a number.
    #[must_use]
    pub fn get(&self, id: FormulaId) -> Formula {
        self.formulas[id.index()]
    }

    /// Whether a formula speaks of the next state.
    #[must_use]
    pub fn has_next(&self) -> bool {
        self.formulas.iter().any(|it| matches!(it, Formula::Next(_)))
    }

    /// The formula that was read from `text`, or its negation, in negation normal form.
    pub fn normal_form(&mut self, tree: &Tree, text: &str, is_positive: bool) -> FormulaId {
        match tree {
            Tree::Atom(start, end) => self.literal(*start, &text[*start..*end], is_positive),
            Tree::Unary(operator, operand) => {
                let (top, bottom) = (self.add(Formula::True), self.add(Formula::False));
                match (operator, is_positive) {
                    (Unary::Not, _) => self.normal_form(operand, text, !is_positive),
                    (Unary::Next, _) => {
                        let operand = self.normal_form(operand, text, is_positive);
                        self.next(operand)
                    }
                    (Unary::Always, true) | (Unary::Eventually, false) => {
                        let operand = self.normal_form(operand, text, is_positive);
                        self.release(bottom, operand)
                    }
                    (Unary::Always, false) | (Unary::Eventually, true) => {
                        let operand = self.normal_form(operand, text, is_positive);
                        self.until(top, operand)
                    }
                }
            }
            Tree::Binary(operator, left, right) => {
                self.binary(*operator, (left, right), text, is_positive)
            }
        }
    }

    fn binary(
        &mut self,
        operator: Binary,
        (left, right): (&Tree, &Tree),
        text: &str,
        is_positive: bool,
    ) -> FormulaId {
        let mut form =
            |tree: &Tree, holds: bool| self.normal_form(tree, text, holds == is_positive);
        match operator {
            Binary::And | Binary::Or => {
                let (left, right) = (form(left, true), form(right, true));
                if (operator == Binary::And) == is_positive {
                    self.and(left, right)
                } else {
                    self.or(left, right)
                }
            }
            Binary::Implies => {
                let (left, right) = (form(left, false), form(right, true));
                if is_positive { self.or(left, right) } else { self.and(left, right) }
            }
            Binary::Iff => {
                let both = [form(left, is_positive), form(right, true)];
                let none = [form(left, !is_positive), form(right, false)];
                let (both, none) = (self.and(both[0], both[1]), self.and(none[0], none[1]));
                self.or(both, none)
            }
            Binary::Until => {
                let (left, right) = (form(left, true), form(right, true));
                if is_positive { self.until(left, right) } else { self.release(left, right) }
            }
            Binary::Release => {
                let (left, right) = (form(left, true), form(right, true));
                if is_positive { self.release(left, right) } else { self.until(left, right) }
            }
            // a W b = b R (a || b), and not so: !b U (!a && !b).
            Binary::WeakUntil => {
                let (left, right) = (form(left, true), form(right, true));
                if is_positive {
                    let either = self.or(left, right);
                    self.release(right, either)
                } else {
                    let neither = self.and(left, right);
                    self.until(right, neither)
                }
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

    fn literal(&mut self, start: usize, text: &str, holds: bool) -> FormulaId {
        let inner = without_parentheses(text);
        let start = start + text.find(inner).unwrap_or(0);
        let text = inner.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.as_str() {
            "true" | "1" => return self.add(if holds { Formula::True } else { Formula::False }),
            "false" | "0" => return self.add(if holds { Formula::False } else { Formula::True }),
            _ => {}
        }
        let known = self.propositions.iter().position(|it| it.text == text);
        let proposition = known.unwrap_or(self.propositions.len());
        if known.is_none() {
            self.propositions.push(Proposition { text, start });
        }
        self.add(Formula::Literal { proposition, holds: !holds });
        self.add(Formula::Literal { proposition, holds })
    }

    /// The negation of a literal.
    #[must_use]
    pub fn negated_literal(&self, id: FormulaId) -> Option<FormulaId> {
        match self.get(id) {
            Formula::Literal { proposition, holds } => {
                self.ids.get(&Formula::Literal { proposition, holds: !holds }).copied()
            }
            _ => None,
        }
    }

    fn is_opposed(&self, left: FormulaId, right: FormulaId) -> bool {
        match (self.get(left), self.get(right)) {
            (
                Formula::Literal { proposition, holds },
                Formula::Literal { proposition: other, holds: other_holds },
            ) => proposition == other && holds != other_holds,
            _ => false,
        }
    }

    fn and(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.get(left), self.get(right)) {
            (Formula::True, _) => right,
            (_, Formula::True) => left,
            (Formula::False, _) => left,
            (_, Formula::False) => right,
            _ if left == right => left,
            _ if self.is_opposed(left, right) => self.add(Formula::False),
            _ => self.add(Formula::And(left.min(right), left.max(right))),
        }
    }

    fn or(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.get(left), self.get(right)) {
            (Formula::False, _) => right,
            (_, Formula::False) => left,
            (Formula::True, _) => left,
            (_, Formula::True) => right,
            _ if left == right => left,
            _ if self.is_opposed(left, right) => self.add(Formula::True),
            _ => self.add(Formula::Or(left.min(right), left.max(right))),
        }
    }

    fn next(&mut self, operand: FormulaId) -> FormulaId {
        match self.get(operand) {
            Formula::True | Formula::False => operand,
            _ => self.add(Formula::Next(operand)),
        }
    }

    fn until(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.get(left), self.get(right)) {
            (_, Formula::True | Formula::False) | (Formula::False, _) => right,
            _ if left == right => right,
            // F F a = F a; F G F a = G F a
            (Formula::True, Formula::Until(inner, _)) if self.get(inner) == Formula::True => right,
            (Formula::True, Formula::Release(bottom, inner))
                if self.get(bottom) == Formula::False
                    && matches!(self.get(inner), Formula::Until(top, _) if self.get(top) == Formula::True) =>
            {
                right
            }
            _ => self.add(Formula::Until(left, right)),
        }
    }

    fn release(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.get(left), self.get(right)) {
            (_, Formula::True | Formula::False) | (Formula::True, _) => right,
            _ if left == right => right,
            // G G a = G a; G F G a = F G a
            (Formula::False, Formula::Release(inner, _)) if self.get(inner) == Formula::False => {
                right
            }
            (Formula::False, Formula::Until(top, inner))
                if self.get(top) == Formula::True
                    && matches!(self.get(inner), Formula::Release(bottom, _) if self.get(bottom) == Formula::False) =>
            {
                right
            }
            _ => self.add(Formula::Release(left, right)),
        }
    }
}

/// A text without spaces and parentheses around all of it.
fn without_parentheses(text: &str) -> &str {
    let text = text.trim();
    let Some(inner) = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0_usize;
    for letter in inner.chars() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return text,
            ')' => depth -= 1,
            _ => {}
        }
    }
    without_parentheses(inner)
}
