//! Formulas in negation normal form.

use std::collections::BTreeMap;

use base::typed_index;
use wane_grammar::ltl::tree::{Binary, Tree, Unary};
use wane_grammar::quoted::c_text;

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

/// Whether a formula or its negation is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// The formula.
    Positive,
    /// Its negation.
    Negative,
}

impl Polarity {
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
        }
    }
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
    pub fn normal_form(&mut self, tree: &Tree, text: &str, polarity: Polarity) -> FormulaId {
        match tree {
            Tree::Atom(start, end) => {
                let (shift, atom) = c_text(&text[*start..*end]);
                self.literal(start + shift, &atom, polarity)
            }
            Tree::Unary(operator, operand) => {
                let (top, bottom) = (self.add(Formula::True), self.add(Formula::False));
                match (operator, polarity) {
                    (Unary::Not, _) => self.normal_form(operand, text, polarity.negated()),
                    (Unary::Next, _) => {
                        let operand = self.normal_form(operand, text, polarity);
                        self.next(operand)
                    }
                    (Unary::Always, Polarity::Positive)
                    | (Unary::Eventually, Polarity::Negative) => {
                        let operand = self.normal_form(operand, text, polarity);
                        self.release(bottom, operand)
                    }
                    (Unary::Always, Polarity::Negative)
                    | (Unary::Eventually, Polarity::Positive) => {
                        let operand = self.normal_form(operand, text, polarity);
                        self.until(top, operand)
                    }
                }
            }
            Tree::Binary(operator, left, right) => {
                self.binary(*operator, (left, right), text, polarity)
            }
        }
    }

    fn binary(
        &mut self,
        operator: Binary,
        (left, right): (&Tree, &Tree),
        text: &str,
        polarity: Polarity,
    ) -> FormulaId {
        if operator == Binary::Iff {
            return self.equivalence((left, right), text, polarity);
        }
        let is_implication = operator == Binary::Implies;
        let of_left = if is_implication { polarity.negated() } else { polarity };
        let left = self.normal_form(left, text, of_left);
        let right = self.normal_form(right, text, polarity);
        let is_positive = polarity == Polarity::Positive;
        match operator {
            Binary::And if is_positive => self.and(left, right),
            Binary::Or | Binary::Implies if !is_positive => self.and(left, right),
            Binary::And | Binary::Or | Binary::Implies | Binary::Iff => self.or(left, right),
            Binary::Until if is_positive => self.until(left, right),
            Binary::Release if !is_positive => self.until(left, right),
            Binary::Until | Binary::Release => self.release(left, right),
            // a W b = b R (a || b), and not so: !b U (!a && !b).
            Binary::WeakUntil if is_positive => {
                let either = self.or(left, right);
                self.release(right, either)
            }
            Binary::WeakUntil => {
                let neither = self.and(left, right);
                self.until(right, neither)
            }
        }
    }

    /// Both hold or none; or one alone does.
    fn equivalence(
        &mut self,
        (left, right): (&Tree, &Tree),
        text: &str,
        polarity: Polarity,
    ) -> FormulaId {
        let mut pair = |of_left: Polarity, of_right: Polarity| {
            let left = self.normal_form(left, text, of_left);
            let right = self.normal_form(right, text, of_right);
            self.and(left, right)
        };
        let first = pair(polarity, Polarity::Positive);
        let second = pair(polarity.negated(), Polarity::Negative);
        self.or(first, second)
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
        match atom(&mut self.propositions, start, text) {
            Atom::Constant(value) if value == holds => self.add(Formula::True),
            Atom::Constant(_) => self.add(Formula::False),
            Atom::Proposition(proposition) => {
                self.add(Formula::Literal { proposition, holds: !holds });
                self.add(Formula::Literal { proposition, holds })
            }
        }
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

/// What a C expression of a formula is.
pub(super) enum Atom {
    /// True, or false.
    Constant(bool),
    /// The proposition with this number.
    Proposition(usize),
}

/// The text with one space for each stretch of white space outside of quotes.
fn with_single_spaces(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let (mut quote, mut is_escaped) = (None, false);
    for letter in text.chars() {
        let is_space = quote.is_none() && letter.is_whitespace();
        if is_space {
            if !written.ends_with(' ') {
                written.push(' ');
            }
            continue;
        }
        quote = match quote {
            Some(mark) if mark == letter && !is_escaped => None,
            None if matches!(letter, '"' | '\'') => Some(letter),
            other => other,
        };
        is_escaped = letter == '\\' && !is_escaped;
        written.push(letter);
    }
    written
}

/// Looks a C expression up among the propositions, which gain it if it is new.
pub(super) fn atom(known: &mut Vec<Proposition>, start: usize, text: &str) -> Atom {
    let inner = without_parentheses(text);
    let start = start + text.find(inner).unwrap_or(0);
    let text = with_single_spaces(inner);
    match text.as_str() {
        "true" | "1" => return Atom::Constant(true),
        "false" | "0" => return Atom::Constant(false),
        _ => {}
    }
    let position = known.iter().position(|it| it.text == text);
    if position.is_none() {
        known.push(Proposition { text, start });
    }
    Atom::Proposition(position.unwrap_or(known.len() - 1))
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

#[cfg(test)]
mod tests {
    use super::with_single_spaces;

    #[test]
    fn white_space_counts_in_quotes_only() {
        assert_eq!(with_single_spaces("a  \t<\n b"), "a < b");
        assert_eq!(with_single_spaces("c  == '\t' ||  c == '\\''"), "c == '\t' || c == '\\''");
    }
}
