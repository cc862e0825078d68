//! Formulas in positive normal form (FMSD'12 §3, with the existential operators): negations
//! stand before propositions only. Those of linear time speak of their [own](Paths::Own) path.

use base::typed_index;
use std::collections::BTreeMap;
use wane_grammar::quoted::c_text;
pub use wane_grammar::temporal::tree::Paths;
use wane_grammar::temporal::tree::{Connective, Interval, Modality, Tree};

typed_index!(
    /// A formula of a [`Table`].
    FormulaId
);

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

/// Whether a formula or its negation is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// The formula.
    Positive,
    /// Its negation.
    Negative,
}

impl Polarity {
    fn negated(self) -> Self {
        match self {
            Self::Positive => Self::Negative,
            Self::Negative => Self::Positive,
        }
    }

    /// The paths that the normal form speaks of where the formula speaks of these.
    fn paths(self, written: Paths) -> Paths {
        match self {
            Self::Positive => written,
            Self::Negative => dual(written),
        }
    }
}

/// What is not so on these paths is the negation on the dual ones.
fn dual(paths: Paths) -> Paths {
    match paths {
        Paths::All => Paths::Some,
        Paths::Some => Paths::All,
        Paths::Own => Paths::Own,
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

    /// Whether a formula of the table speaks of the next state.
    #[must_use]
    pub fn has_next(&self) -> bool {
        self.formulas.iter().any(|it| matches!(it, Formula::Next(..)))
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
        match tree {
            Tree::Atom(start, end) => {
                let (shift, atom) = c_text(&text[*start..*end]);
                self.literal(start + shift, &atom, polarity)
            }
            Tree::Not(operand) => self.normal_form(operand, text, polarity.negated()),
            Tree::Connected(operator, left, right) => {
                self.connected(*operator, (left, right), text, polarity)
            }
            Tree::Modal(paths, operator, operand) => {
                let operand = self.normal_form(operand, text, polarity);
                let paths = polarity.paths(*paths);
                match (operator, polarity) {
                    (Modality::Next, _) => self.next(paths, operand),
                    (Modality::Future, Polarity::Positive)
                    | (Modality::Globally, Polarity::Negative) => {
                        let top = self.add(Formula::True);
                        self.until(paths, top, operand)
                    }
                    (Modality::Globally, Polarity::Positive)
                    | (Modality::Future, Polarity::Negative) => {
                        let bottom = self.add(Formula::False);
                        self.weak_until(paths, operand, bottom)
                    }
                }
            }
            Tree::Bounded(paths, operator, left, right) => {
                let [left, right] = [left, right].map(|it| self.normal_form(it, text, polarity));
                self.bounded(polarity.paths(*paths), *operator, (left, right), polarity)
            }
        }
    }

    fn connected(
        &mut self,
        operator: Connective,
        (left, right): (&Tree, &Tree),
        text: &str,
        polarity: Polarity,
    ) -> FormulaId {
        let is_positive = polarity == Polarity::Positive;
        let mut pair = |of_left: Polarity, of_right: Polarity| {
            [self.normal_form(left, text, of_left), self.normal_form(right, text, of_right)]
        };
        match operator {
            // Both hold or none; or one alone does.
            Connective::Iff => {
                let first = pair(polarity, Polarity::Positive);
                let second = pair(polarity.negated(), Polarity::Negative);
                let [first, second] = [first, second].map(|[left, right]| self.and(left, right));
                self.or(first, second)
            }
            Connective::And | Connective::Or | Connective::Implies => {
                let is_implication = operator == Connective::Implies;
                let of_left = if is_implication { polarity.negated() } else { polarity };
                let [left, right] = pair(of_left, polarity);
                if (operator == Connective::And) == is_positive {
                    self.and(left, right)
                } else {
                    self.or(left, right)
                }
            }
        }
    }

    /// What an operator says of two formulas, or what its negation says of their negations:
    ///
    /// ```text
    ///   a R b = b W (a && b)      !(a U b) = !b W (!a && !b)      !(a R b) = !a U !b
    /// ```
    fn bounded(
        &mut self,
        paths: Paths,
        operator: Interval,
        (left, right): (FormulaId, FormulaId),
        polarity: Polarity,
    ) -> FormulaId {
        match (operator, polarity) {
            (Interval::Until, Polarity::Positive) | (Interval::Release, Polarity::Negative) => {
                self.until(paths, left, right)
            }
            (Interval::WeakUntil, Polarity::Positive) => self.weak_until(paths, left, right),
            (Interval::WeakUntil, Polarity::Negative) => {
                let neither = self.and(left, right);
                self.until(paths, right, neither)
            }
            (Interval::Until, Polarity::Negative) | (Interval::Release, Polarity::Positive) => {
                let both = self.and(left, right);
                self.weak_until(paths, right, both)
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
                self.next(dual(paths), operand)
            }
            Formula::Until(paths, left, right) => {
                let negated = [left, right].map(|it| self.negation(it)).into();
                self.bounded(dual(paths), Interval::Until, negated, Polarity::Negative)
            }
            Formula::WeakUntil(paths, left, right) => {
                let negated = [left, right].map(|it| self.negation(it)).into();
                self.bounded(dual(paths), Interval::WeakUntil, negated, Polarity::Negative)
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

    /// A literal; its negation is in the table, too.
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
            _ if self.negated_literal(left) == Some(right) => self.add(Formula::False),
            _ => self.add_once(Formula::And, left, right),
        }
    }

    fn or(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.get(left), self.get(right)) {
            (Formula::False, _) | (_, Formula::True) => right,
            (_, Formula::False) | (Formula::True, _) => left,
            _ if left == right => left,
            _ if self.negated_literal(left) == Some(right) => self.add(Formula::True),
            _ => self.add_once(Formula::Or, left, right),
        }
    }

    /// A formula whose operands may change their places.
    fn add_once(
        &mut self,
        of: fn(FormulaId, FormulaId) -> Formula,
        left: FormulaId,
        right: FormulaId,
    ) -> FormulaId {
        let known = self.ids.get(&of(right, left)).copied();
        known.unwrap_or_else(|| self.add(of(left, right)))
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
            // F F a = F a, F G F a = G F a
            (Formula::True, _)
                if self.future(paths, right).is_some()
                    || self
                        .globally(paths, right)
                        .is_some_and(|it| self.future(paths, it).is_some()) =>
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
            // G G a = G a, G F G a = F G a
            (_, Formula::False)
                if self.globally(paths, left).is_some()
                    || self
                        .future(paths, left)
                        .is_some_and(|it| self.globally(paths, it).is_some()) =>
            {
                left
            }
            _ => self.add(Formula::WeakUntil(paths, left, right)),
        }
    }

    /// `a`, if a formula is `F a` on these paths.
    fn future(&self, paths: Paths, id: FormulaId) -> Option<FormulaId> {
        match self.get(id) {
            Formula::Until(same, top, operand) if same == paths => {
                (self.get(top) == Formula::True).then_some(operand)
            }
            _ => None,
        }
    }

    /// `a`, if a formula is `G a` on these paths.
    fn globally(&self, paths: Paths, id: FormulaId) -> Option<FormulaId> {
        match self.get(id) {
            Formula::WeakUntil(same, operand, bottom) if same == paths => {
                (self.get(bottom) == Formula::False).then_some(operand)
            }
            _ => None,
        }
    }
}

/// What a C expression of a formula is.
enum Atom {
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
fn atom(known: &mut Vec<Proposition>, start: usize, text: &str) -> Atom {
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
