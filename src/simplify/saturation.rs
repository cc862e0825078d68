//! Growing the e-graph, and choosing from it.

use super::facts::{Facts, Range};
use super::language::{Node, expr_at, nodes_of};
use super::rules::rewrites;
use super::typing::Typing;
use egg::{Analysis, CostFunction, DidMerge, EGraph, Extractor, Id, Language, RecExpr, Rewrite};
use ir::{BinaryOp, Expr, UnaryOp};
use quanta::Clock;
use std::sync::{Arc, LazyLock};

/// An e-graph over expressions of one program.
pub(super) type Graph = EGraph<Node, Knowledge>;

/// Keeps what is known of each class's value.
#[derive(Clone, Debug, Default)]
pub(super) struct Knowledge {
    pub(super) typing: Arc<Typing>,
}

/// At most so often are all rules tried.
const MAX_ROUNDS: usize = 8;

/// With more nodes no further rule is tried.
const MAX_NODES: usize = 1_000;

/// In one round a rule is applied to so many places at most.
const MAX_MATCHES: usize = 400;

impl Analysis<Node> for Knowledge {
    type Data = Facts;

    fn make(graph: &mut Graph, node: &Node, _: Id) -> Facts {
        let of = |id: &Id| &graph[*id].data;
        let address_bits = graph.analysis.typing.address_bits;
        match node {
            Node::Constant(value) => Facts::number(Range::of(*value, *value)),
            Node::Variable(variable) => graph.analysis.typing.of_variable(*variable),
            Node::Procedure(_) | Node::Kind(_) => Facts::word(Range::ALL),
            Node::Unary(op, [operand]) => Facts::unary(*op, of(operand)),
            Node::Binary(op, [left, right]) => {
                Facts::binary(*op, of(left), of(right), address_bits)
            }
            Node::Wrap([kind, operand]) => match graph[*kind].nodes.first() {
                Some(Node::Kind(kind)) => Facts::wrap(*kind, of(operand), address_bits),
                _ => Facts::word(Range::ALL),
            },
        }
    }

    fn merge(&mut self, known: &mut Facts, other: Facts) -> DidMerge {
        let before = *known;
        known.learn(&other);
        DidMerge(*known != before, *known != other)
    }

    fn modify(graph: &mut Graph, id: Id) {
        if let Some(value) = graph[id].data.constant() {
            let constant = graph.add(Node::Constant(value));
            graph.union_trusted(id, constant, "only value");
        }
    }
}

/// An expression equal to `expr` that costs less, if one is found.
pub(super) fn best_equal(expr: &Expr, typing: &Arc<Typing>) -> Option<Expr> {
    quanta::with_clock(&STOPPED, || best_by_rules(expr, typing))
}

/// The graph asks for the time, which nothing here depends on. To learn how the machine counts it
/// would take longer than most questions about a small file.
static STOPPED: LazyLock<Clock> = LazyLock::new(|| Clock::mock().0);

fn best_by_rules(expr: &Expr, typing: &Arc<Typing>) -> Option<Expr> {
    let nodes = nodes_of(expr);
    let mut graph = EGraph::new(Knowledge { typing: Arc::clone(typing) });
    let root = graph.add_expr(&nodes);
    graph.rebuild();
    saturate(&mut graph, rewrites());
    let effort = Effort { graph: &graph };
    let before = effort.of_nodes(&nodes)?;
    let (cost, best) = Extractor::new(&graph, effort).find_best(root);
    if cost < before { expr_at(&best, best.root()) } else { None }
}

/// Applies all rules until nothing is new or a limit is met. The limits count
/// and never measure time.
pub(super) fn saturate<'rule>(
    graph: &mut Graph,
    rules: impl IntoIterator<Item = &'rule Rewrite<Node, Knowledge>> + Clone,
) {
    for _ in 0..MAX_ROUNDS {
        let search = |rule: &'rule Rewrite<Node, Knowledge>| {
            (rule, rule.search_with_limit(graph, MAX_MATCHES))
        };
        let found: Vec<_> = rules.clone().into_iter().map(search).collect();
        let mut n_changes = 0;
        for (rule, matches) in found {
            if graph.total_size() <= MAX_NODES {
                n_changes += rule.apply(graph, &matches).len();
            }
        }
        n_changes += graph.rebuild();
        if n_changes == 0 || graph.total_size() > MAX_NODES {
            return;
        }
    }
}

/// How hard an expression is for the shape analysis; a smaller one is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    /// Values that it cannot express.
    unknowns: u32,
    /// Reductions to a type: up to three cases each.
    splits: u32,
    /// Truth values: two cases each, save for one at the root.
    truths: u32,
    /// Operators and operands.
    size: u32,
}

impl Cost {
    fn plus(self, other: &Self) -> Self {
        Self {
            unknowns: self.unknowns.saturating_add(other.unknowns),
            splits: self.splits.saturating_add(other.splits),
            truths: self.truths.saturating_add(other.truths),
            size: self.size.saturating_add(other.size),
        }
    }
}

/// Reckons costs by what the classes of `graph` are known to be.
#[derive(Clone, Copy)]
struct Effort<'graph> {
    graph: &'graph Graph,
}

impl CostFunction<Node> for Effort<'_> {
    type Cost = Cost;

    fn cost<C: FnMut(Id) -> Cost>(&mut self, node: &Node, mut costs: C) -> Cost {
        node.fold(self.of_operator(node), |sum, operand| sum.plus(&costs(operand)))
    }
}

impl Effort<'_> {
    /// Of an expression in the graph, as it is written.
    fn of_nodes(mut self, nodes: &RecExpr<Node>) -> Option<Cost> {
        let mut places: Vec<(Id, Cost)> = Vec::new();
        for node in nodes {
            let placed = node.clone().map_children(|operand| places[usize::from(operand)].0);
            let mut operands =
                node.children().iter().map(|operand| places[usize::from(*operand)].1);
            let cost = self.cost(&placed, |_| operands.next().unwrap_or_default());
            places.push((self.graph.lookup(placed)?, cost));
        }
        places.last().map(|(_, cost)| *cost)
    }

    fn of_operator(self, node: &Node) -> Cost {
        let plain = Cost { size: 1, ..Cost::default() };
        match node {
            Node::Constant(_) | Node::Variable(_) | Node::Procedure(_) | Node::Kind(_) => plain,
            Node::Unary(UnaryOp::Negate | UnaryOp::BitNot, _) => plain,
            // So `a == 0` stays as it is.
            Node::Unary(UnaryOp::Not, _) => Cost { truths: 1, size: 3, ..plain },
            Node::Binary(op, operands) => self.of_binary(*op, *operands),
            Node::Wrap([kind, operand]) => {
                Cost { splits: 1, unknowns: self.lost_by_wrap(*kind, *operand), ..plain }
            }
        }
    }

    /// A value is followed around the range of its type once, not more often.
    fn lost_by_wrap(self, kind: Id, operand: Id) -> u32 {
        let Some(&Node::Kind(kind)) = self.graph[kind].nodes.first() else { return 1 };
        let Some(modulus) = kind.modulus() else { return 1 };
        let lowest = kind.min().checked_sub(modulus);
        let highest = kind.max().checked_add(modulus);
        let followed = Range { low: lowest, high: highest };
        u32::from(!self.graph[operand].data.range.lies_in(followed))
    }

    fn of_binary(self, op: BinaryOp, [left, right]: [Id; 2]) -> Cost {
        let is_constant = |id: Id| self.graph[id].data.constant().is_some();
        let one_is_constant = is_constant(left) || is_constant(right);
        let is_negative = |id: Id| self.graph[id].data.constant().is_some_and(i128::is_negative);
        let (unknowns, truths, size) = match op {
            // Rather `x - 1` than `x + -1` or `-1 + x`.
            BinaryOp::Add if is_constant(left) || is_negative(right) => (0, 0, 2),
            BinaryOp::Add | BinaryOp::Subtract => (0, 0, 1),
            BinaryOp::Multiply if one_is_constant => (0, 0, 1),
            BinaryOp::ShiftLeft if is_constant(right) => (0, 0, 2),
            BinaryOp::ShiftRight | BinaryOp::And if one_is_constant => (2, 0, 1),
            BinaryOp::Divide | BinaryOp::Remainder if is_constant(right) => (3, 0, 1),
            BinaryOp::Multiply
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => (4, 0, 1),
            BinaryOp::Divide | BinaryOp::Remainder => (6, 0, 1),
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => (0, 1, 1),
        };
        Cost { unknowns, splits: 0, truths, size }
    }
}
