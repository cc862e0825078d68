//! Random instances of the left sides of rules.

use super::super::language::{Node, nodes_of};
use egg::RecExpr;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;
use worlds::{grown, some_constant, some_kind, some_leaf};

/// The left side of a rule with random expressions in place of its variables.
pub(super) fn instance(left: &str, runner: &mut TestRunner) -> RecExpr<Node> {
    let mut chosen: BTreeMap<String, String> = BTreeMap::new();
    let spaced = left.replace('(', "( ").replace(')', " )");
    let words: Vec<String> = spaced
        .split_whitespace()
        .map(|word| match word.strip_prefix('?') {
            Some(name) => {
                chosen.entry(word.to_owned()).or_insert_with(|| operand(name, runner)).clone()
            }
            None => word.to_owned(),
        })
        .collect();
    words.join(" ").parse().unwrap()
}

fn operand(name: &str, runner: &mut TestRunner) -> String {
    let operand = prop_oneof![2 => some_leaf(), 1 => grown(some_leaf())];
    match name {
        "k" | "m" => Node::Kind(drawn(some_kind(), runner)).to_string(),
        "c" => drawn(some_constant(), runner).to_string(),
        "d" if drawn(any::<bool>(), runner) => drawn(some_constant(), runner).to_string(),
        _ => nodes_of(&drawn(operand, runner)).to_string(),
    }
}

fn drawn<T: std::fmt::Debug>(strategy: impl Strategy<Value = T>, runner: &mut TestRunner) -> T {
    strategy.new_tree(runner).unwrap().current()
}
