//! Which expressions are equal.
//!
//! Each rule is an identity of the exact integers that also holds of addresses,
//! as far as [`Arithmetic`](concrete::value::Arithmetic) knows their
//! values, and keeps errors: what may divide by zero is neither dropped nor
//! added. Where that needs a condition, it stands beside the rule and is
//! answered from what is [known](super::facts) of the classes. The tests try
//! every rule on random expressions and states.
//!
//! To add a rule, add a line to a table. In its sides, `?k` and `?m` are types,
//! `?c` and `?d` usually constants, and `?e` on the right is the number that
//! the rule computes.

mod arithmetic;
mod bits;
mod modular;
mod truth;

use super::facts::Facts;
use super::language::Node;
use super::saturation::{Graph, Knowledge};
use egg::{Applier, Id, Pattern, PatternAst, Rewrite, Subst, Symbol, Var};
use ir::IntKind;
use std::sync::LazyLock;

/// An equation, used from left to right.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) left: &'static str,
    pub(super) right: &'static str,
    condition: Condition,
}

/// When a rule applies.
#[derive(Clone, Copy)]
enum Condition {
    Always,
    When(fn(&Match) -> bool),
    /// When there is such a number, which becomes `?e`.
    Computing(fn(&Match) -> Option<i128>),
}

const fn always(name: &'static str, left: &'static str, right: &'static str) -> Rule {
    Rule { name, left, right, condition: Condition::Always }
}

const fn when(
    name: &'static str,
    left: &'static str,
    right: &'static str,
    holds: fn(&Match) -> bool,
) -> Rule {
    Rule { name, left, right, condition: Condition::When(holds) }
}

const fn computing(
    name: &'static str,
    left: &'static str,
    right: &'static str,
    value: fn(&Match) -> Option<i128>,
) -> Rule {
    Rule { name, left, right, condition: Condition::Computing(value) }
}

/// All rules.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    [arithmetic::RULES, bits::RULES, modular::RULES, truth::RULES].into_iter().flatten()
}

/// All rules, ready for use.
pub(super) fn rewrites() -> &'static [Rewrite<Node, Knowledge>] {
    static REWRITES: LazyLock<Vec<Rewrite<Node, Knowledge>>> =
        LazyLock::new(|| all().filter_map(|rule| rule.rewrite().ok()).collect());
    &REWRITES
}

impl Rule {
    /// # Errors
    /// When a side cannot be read; a test sees to it that none is so.
    pub(super) fn rewrite(&self) -> Result<Rewrite<Node, Knowledge>, String> {
        let pattern = |side: &str| side.parse::<Pattern<Node>>().map_err(|error| error.to_string());
        let computed = "?e".parse::<Var>().map_err(|error| error.to_string())?;
        let conclusion =
            Conclusion { condition: self.condition, right: pattern(self.right)?, computed };
        Rewrite::new(self.name, pattern(self.left)?, conclusion)
    }
}

/// The right side, where the condition holds.
struct Conclusion {
    condition: Condition,
    right: Pattern<Node>,
    computed: Var,
}

impl Applier<Node, Knowledge> for Conclusion {
    fn apply_one(
        &self,
        graph: &mut Graph,
        class: Id,
        subst: &Subst,
        left: Option<&PatternAst<Node>>,
        rule: Symbol,
    ) -> Vec<Id> {
        let found = Match { graph, subst };
        let mut extended = subst.clone();
        match self.condition {
            Condition::Always => {}
            Condition::When(holds) if holds(&found) => {}
            Condition::When(_) => return Vec::new(),
            Condition::Computing(compute) => {
                let Some(value) = compute(&found) else { return Vec::new() };
                extended.insert(self.computed, graph.add(Node::Constant(value)));
            }
        }
        self.right.apply_one(graph, class, &extended, left, rule)
    }
}

/// A place where the left side of a rule was found.
struct Match<'graph> {
    graph: &'graph Graph,
    subst: &'graph Subst,
}

impl Match<'_> {
    fn facts(&self, variable: &str) -> Facts {
        let id = variable.parse().ok().and_then(|variable| self.subst.get(variable));
        id.map_or_else(Facts::nothing, |id| self.graph[*id].data)
    }

    /// Surely no address.
    fn is_number(&self, variable: &str) -> bool {
        self.facts(variable).is_number
    }

    /// Surely no error.
    fn is_harmless(&self, variable: &str) -> bool {
        self.facts(variable).is_harmless
    }

    /// Surely 0 or 1.
    fn is_truth(&self, variable: &str) -> bool {
        self.facts(variable).is_truth()
    }

    fn constant(&self, variable: &str) -> Option<i128> {
        self.facts(variable).constant()
    }

    fn is_constant(&self, variable: &str) -> bool {
        self.constant(variable).is_some()
    }

    fn kind(&self, variable: &str) -> Option<IntKind> {
        let id = self.subst.get(variable.parse().ok()?)?;
        match self.graph[*id].nodes.first() {
            Some(Node::Kind(kind)) => Some(*kind),
            _ => None,
        }
    }

    fn address_bits(&self) -> u8 {
        self.graph.analysis.typing.address_bits
    }
}
