//! Which atoms program variables reach, and which they surely hold on to.

use super::Atom;
use super::shape::{Case, Kin, PatternInstance, PatternTerm, ShapeId, ShapeLibrary};
use super::state::{Kind, State};
use ir::MemoryKind;
use logic::{Integer, LinearExpr, Var};
use std::collections::BTreeSet;

impl Atom {
    /// The addresses at which the atom's own nodes start or are entered.
    #[must_use]
    pub fn own_addresses(&self, state: &State) -> Vec<Var> {
        match self {
            Self::Block(block) => vec![block.base],
            Self::Instance(instance) => instance
                .anchors()
                .flat_map(|(_, root)| root.variables())
                .filter(|variable| state.vocabulary.kind(*variable) != Kind::Integer)
                .collect(),
        }
    }

    /// Whether it is memory that lives until it is freed.
    #[must_use]
    pub fn is_heap(&self) -> bool {
        let region = match self {
            Self::Block(block) => block.region,
            Self::Instance(instance) => instance.template.region,
        };
        region.kind == MemoryKind::Heap
    }

    /// The addresses that its nodes surely hold, perhaps moved by a number.
    #[must_use]
    pub fn targets(&self, state: &State) -> Vec<Var> {
        self.targets_by(state, target_of)
    }

    /// The addresses that its nodes hold by this reading of values.
    fn targets_by(&self, state: &State, target: Target) -> Vec<Var> {
        match self {
            Self::Block(block) => {
                block.scalars().filter_map(|it| target(state, &it.value)).collect()
            }
            Self::Instance(instance) => {
                instance.arguments.iter().filter_map(|value| target(state, value)).collect()
            }
        }
    }
}

/// The address that a value holds, if it holds one.
type Target = fn(&State, &LinearExpr) -> Option<Var>;

/// The address of the memory that a value points *into*, for certain. A pointer one past the end
/// of a block points at nothing of it: where the program is over, nobody takes a step back.
#[must_use]
pub fn target_inside(state: &State, value: &LinearExpr) -> Option<Var> {
    let target = target_of(state, value)?;
    let offset = value.sub(&target.into());
    let is_inside = |start: LinearExpr, size: &LinearExpr| {
        state.surely_at_most_zero(&start.neg())
            && state.surely_at_most_zero(&start.add_constant(1).sub(size))
    };
    let is_there = offset.is_zero()
        || state.heap.atoms.iter().all(|atom| match atom {
            Atom::Block(block) => block.base != target || is_inside(offset.clone(), &block.size),
            Atom::Instance(instance) => {
                let size = LinearExpr::from(instance.template.size);
                let start = offset.add_constant(instance.template.root);
                !atom.own_addresses(state).contains(&target) || is_inside(start, &size)
            }
        });
    is_there.then_some(target)
}

/// The same as [`holds_heap`] where the program is over, with what the roots point into.
#[must_use]
pub fn holds_heap_at_the_end(state: &State, held: BTreeSet<Var>) -> bool {
    holds(state, held, target_inside)
}

/// The address that a value points from, perhaps moved by a number. A difference
/// of addresses or a multiple of one points at nothing.
#[must_use]
pub fn target_of(state: &State, value: &LinearExpr) -> Option<Var> {
    let is_address = |variable: &Var| state.vocabulary.kind(*variable) != Kind::Integer;
    let mut addresses = value.variables().filter(is_address);
    let only = addresses.next().filter(|_| addresses.next().is_none())?;
    (value.coefficient(only) == Integer::from(1)).then_some(only)
}

/// Whether every heap block that the state speaks of is pointed at: by one of
/// the roots, by memory that is not the heap's, or by a block that is pointed
/// at itself. For shapes [`hold_their_nodes`] must be true.
#[must_use]
pub fn holds_heap(state: &State, held: BTreeSet<Var>) -> bool {
    holds(state, held, target_of)
}

fn holds(state: &State, mut held: BTreeSet<Var>, target: Target) -> bool {
    let atoms = &state.heap.atoms;
    let mut is_held = vec![false; atoms.len()];
    loop {
        let mut grew = false;
        for (atom, is_held) in atoms.iter().zip(&mut is_held) {
            let points_here =
                || atom.own_addresses(state).iter().any(|address| held.contains(address));
            if !*is_held && (!atom.is_heap() || points_here()) {
                *is_held = true;
                grew = true;
                held.extend(atom.targets_by(state, target));
            }
        }
        if !grew {
            return is_held.iter().all(|is_held| *is_held);
        }
    }
}

/// Whether in all instances of all shapes each anchor leads to every node, and
/// each argument is what some node's link holds (or the address of a node). So
/// it is if, in each case of a definition,
///
/// * every part starts at what a link of the cell holds, or in a node of which it holds
///   the place of a link, and
/// * every argument is in a link of the cell, or passed on to a part that holds
///   it.
#[must_use]
pub fn hold_their_nodes(library: &ShapeLibrary) -> bool {
    let ids = || library.by_specificity();
    // What is held is the greatest set that fulfils the second condition.
    let n_parameters = |id: ShapeId| library.get(id).parameters.len();
    let mut held: BTreeSet<(ShapeId, usize)> =
        ids().flat_map(|id| (0..n_parameters(id)).map(move |p| (id, p))).collect();
    loop {
        let drops = |(id, parameter): &(ShapeId, usize)| {
            let shape = library.get(*id);
            let mut cases = shape.unfoldings.iter().flat_map(|unfolding| {
                unfolding.cases.iter().map(move |case| (unfolding.anchor, case))
            });
            cases.any(|(anchor, case)| !case_holds(&held, anchor, case, *parameter))
        };
        let dropped: Vec<_> = held.iter().filter(|item| drops(item)).copied().collect();
        if dropped.is_empty() {
            break;
        }
        dropped.iter().for_each(|item| {
            held.remove(item);
        });
    }
    ids().all(|id| {
        let shape = library.get(id);
        let all_held = (0..shape.parameters.len()).all(|parameter| held.contains(&(id, parameter)));
        let mut cases = shape.unfoldings.iter().flat_map(|unfolding| &unfolding.cases);
        all_held && cases.all(|case| leads_to_parts(library, case))
    })
}

fn case_holds(
    held: &BTreeSet<(ShapeId, usize)>,
    anchor: usize,
    case: &Case,
    parameter: usize,
) -> bool {
    let wanted = PatternTerm::Variable(parameter);
    let same = |term: PatternTerm| {
        term == wanted
            || case
                .equalities
                .iter()
                .any(|(a, b)| (*a == term && *b == wanted) || (*b == term && *a == wanted))
    };
    same(PatternTerm::Variable(anchor))
        || case.links.iter().flatten().any(|link| same(*link))
        || case.instances.iter().any(|part| {
            let mut arguments = part.arguments.iter().enumerate();
            arguments.any(|(position, term)| same(*term) && held.contains(&(part.shape, position)))
        })
}

fn leads_to_parts(library: &ShapeLibrary, case: &Case) -> bool {
    case.instances.iter().all(|part| {
        let mut anchors = library.get(part.shape).anchors();
        anchors.any(|anchor| {
            part.arguments.get(anchor).is_some_and(|root| {
                case.links.iter().flatten().any(|it| leads_to(*it, part, *root))
            })
        })
    })
}

/// Whether a link points at the node where a part starts, or into it.
fn leads_to(link: PatternTerm, part: &PatternInstance, root: PatternTerm) -> bool {
    let is_within = match (link, root) {
        // Only nodes of the family have their links where the cell has them.
        (PatternTerm::Field(node, _), PatternTerm::Variable(start)) => {
            part.kin == Kin::Family && node == start
        }
        _ => false,
    };
    link == root || is_within
}

/// For each atom, whether it is reached from some of the variables.
#[must_use]
pub fn reached(state: &State, mut from: BTreeSet<Var>) -> Vec<bool> {
    let mut is_reached = vec![false; state.heap.atoms.len()];
    loop {
        let mut grew = false;
        for (index, atom) in state.heap.atoms.iter().enumerate() {
            if !is_reached[index]
                && atom.own_addresses(state).iter().any(|address| from.contains(address))
            {
                is_reached[index] = true;
                grew = true;
                atom.for_each_expr(&mut |expr| from.extend(expr.variables()));
            }
        }
        if !grew {
            return is_reached;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Kind;
    use logic::LinearExpr;

    #[test]
    fn only_an_address_itself_points() {
        let mut state = State::initial();
        let [one, other, number] =
            [Kind::Address, Kind::Address, Kind::Integer].map(|kind| state.fresh(kind));
        let value = |variable: Var| LinearExpr::var(variable);
        assert_eq!(target_of(&state, &value(one).add_constant(8)), Some(one));
        assert_eq!(target_of(&state, &(value(one) + value(number))), Some(one));
        assert_eq!(target_of(&state, &value(one).neg()), None);
        assert_eq!(target_of(&state, &(value(one) + value(one))), None);
        assert_eq!(target_of(&state, &value(one).sub(&value(other))), None);
        assert_eq!(target_of(&state, &value(number)), None);
    }

    #[test]
    fn shapes_that_let_go_of_nodes_are_known() {
        let mut library = ShapeLibrary::builtin().unwrap();
        assert!(hold_their_nodes(&library));
        let loose = "shape loose(x, y, z) { unfold x | x |-> { next: y } \
                     | x |-> { next: n } * loose(n, y, z) }";
        library.add_file(loose).unwrap();
        assert!(!hold_their_nodes(&library));
    }
}
