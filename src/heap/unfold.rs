//! Unfolding: an instance taken apart at one of its ends, by cases.

use super::shape::{Case, Kin, PatternTerm, ShapeLibrary};
use super::state::{Kind, State};
use super::template::{Ending, Extent};
use super::values::{NodeValues, expand};
use super::{ANY_SIZE, Atom, Block, Cell, Content, FloatingCell, Instance, Template};
use ir::semantics::largest_object;
use ir::{IntKind, ScalarType};
use logic::{Constraint, Integer, LinearExpr};
use smallvec::SmallVec;

/// The bytes of the widest addresses that there are.
const WIDEST_ADDRESS: u32 = 8;

/// ```text
///   case c of P at parameter a:  x̄ᵢ fresh
///   ─────────────────────────────────────────────────────────────── UNFOLD
///   Q * P[k](ā)  ⟶  Q & k = 1 + Σ kᵢ * (a ↦ links) * P₁[k₁] * … * Pₙ[kₙ]
/// ```
///
/// (CAV'06 §3, UNROLL1 and UNROLL>1, for any shape.) The cases of one anchor are
/// complete: together the results describe what `state` describes. Results are
/// paired with the position of the exposed block.
///
/// Returns no result when `parameter` is no anchor of the shape, so callers ask
/// with an anchor only.
#[must_use]
pub fn unfold(
    state: &State,
    atom: usize,
    parameter: usize,
    library: &ShapeLibrary,
) -> Vec<(State, usize)> {
    let Atom::Instance(instance) = &state.heap.atoms[atom] else { return Vec::new() };
    let Some(unfolding) = library.get(instance.shape).unfolding_at(parameter) else {
        return Vec::new();
    };
    let unfolded = |case| unfold_case(state, atom, parameter, case, library);
    unfolding.cases.iter().filter_map(unfolded).collect()
}

fn unfold_case(
    state: &State,
    atom: usize,
    parameter: usize,
    case: &Case,
    library: &ShapeLibrary,
) -> Option<(State, usize)> {
    let mut next = state.clone();
    let Atom::Instance(instance) = next.heap.atoms.remove(atom) else { return None };
    if !instance.template.allows_case(case) {
        return None;
    }
    let mut values: Vec<LinearExpr> = instance.arguments.to_vec();
    while values.len() < case.n_variables {
        values.push(next.fresh(Kind::Address).into());
    }
    let base = next.fresh(Kind::Address);
    let n_own = case.instances.iter().filter(|inner| inner.kin == Kin::Family).count();
    let (cells, rest) = expand(&mut next, &instance, case.place, n_own);
    let mut cells = cells;
    cells.retain(|cell| instance.template.flags.iter().all(|flag| flag.offset != cell.offset));
    let size = node_size(&mut next, &instance.template);
    let mut block = node_block((base, size), &instance, case, &values);
    block.floating = ending(&mut next, &instance.template, &block.size);
    block.cells.extend(cells);
    block.cells.sort();
    next.heap.atoms.push(Atom::Block(block));
    add_rest(&mut next, &instance, case, &values, rest, library)?;
    let template = instance.template;
    let root = LinearExpr::var(base).add_constant(template.root);
    if next.assume_base(&values[parameter].sub(&root), base).is_empty() {
        return None;
    }
    for (left, right) in &case.equalities {
        let resolve = |term: &PatternTerm| instantiate(*term, &template, &values);
        let difference = resolve(left).sub(&resolve(right));
        // The anchor's value was replaced by the block's address just now.
        let difference = next.rewrite_root(&difference, &values[parameter], &root);
        if next.assume_zero(&difference).is_empty() {
            return None;
        }
    }
    let position = next.block_at(base)?;
    Some((next, position))
}

fn instantiate(term: PatternTerm, template: &Template, values: &[LinearExpr]) -> LinearExpr {
    match term {
        PatternTerm::Variable(number) => values[number].clone(),
        PatternTerm::Field(number, label) => {
            // Templates have a place for each link.
            template.field_of(&values[number], label).unwrap_or_default()
        }
        PatternTerm::Null => LinearExpr::zero(),
    }
}

/// The bytes of a node. No object has more than distances in it can tell.
fn node_size(state: &mut State, template: &Template) -> LinearExpr {
    if template.size != ANY_SIZE {
        return template.size.into();
    }
    let size = state.fresh(Kind::Integer);
    let _ = state.assume_constraint(Constraint::ge(size, 0));
    let most = largest_object(WIDEST_ADDRESS);
    let _ = state.assume_constraint(Constraint::le(size, Integer::from(most)));
    size.into()
}

/// The zero that ends what a node holds, somewhere in it.
fn ending(state: &mut State, template: &Template, size: &LinearExpr) -> Option<Box<FloatingCell>> {
    match template.ending {
        Ending::Any => None,
        Ending::Zero => {
            let offset = LinearExpr::var(state.fresh(Kind::Integer));
            let _ = state.assume_at_most_zero(&offset.neg());
            let _ = state.assume_at_most_zero(&offset.add_constant(1).sub(size));
            let ty = ScalarType::Int(IntKind { bits: 8, signed: true });
            Some(Box::new(FloatingCell { offset, ty, value: LinearExpr::zero() }))
        }
    }
}

fn node_block(
    (base, size): (logic::Var, LinearExpr),
    instance: &Instance,
    case: &Case,
    values: &[LinearExpr],
) -> Block {
    let mut cells: SmallVec<[Cell; 2]> = case
        .links
        .iter()
        .zip(&instance.template.links)
        .enumerate()
        .filter_map(|(label, (link, offset))| {
            // A link that does not lead on may hold anything.
            let is_free =
                *link == Some(PatternTerm::Null) && instance.template.flag_of(label).is_some();
            let value = instantiate((*link)?, &instance.template, values);
            (!is_free).then_some(Cell { offset: *offset, ty: ScalarType::Pointer, value })
        })
        .collect();
    let flags = instance.template.flags.iter();
    let flags = flags.filter_map(|flag| Some(flag.cell(case.links.get(flag.label).copied()??)));
    cells.extend(flags);
    cells.extend(instance.template.selves.iter().map(|it| Cell {
        offset: it.offset,
        ty: ScalarType::Pointer,
        value: it.value_in(base),
    }));
    cells.sort();
    Block {
        base,
        size,
        region: instance.template.region,
        content: Content::Arbitrary,
        cells,
        floating: None,
        recent: Vec::new(),
        segment: None,
        rows: Vec::new(),
    }
}

/// Adds the instances of a case and `k = 1 + Σ kᵢ`; an instance of another
/// family has a depth of its own, which its template may say.
fn add_rest(
    next: &mut State,
    instance: &Instance,
    case: &Case,
    values: &[LinearExpr],
    holds: Vec<NodeValues>,
    library: &ShapeLibrary,
) -> Option<()> {
    let mut rest = instance.depth.add_constant(-1);
    let n_own = holds.len();
    let mut holds = holds.into_iter();
    let mut n_seen = 0;
    for inner in &case.instances {
        let is_own = inner.kin == Kin::Family;
        n_seen += usize::from(is_own);
        let mut template = instance.template.of_kin(inner.kin)?.clone();
        let extent = if is_own { Extent::Any } else { template.extent };
        template.extent = Extent::Any;
        let depth = if is_own && n_seen == n_own {
            rest.clone()
        } else if extent == Extent::One {
            LinearExpr::from(1)
        } else {
            let depth = LinearExpr::var(next.fresh(Kind::Integer));
            if is_own {
                rest = rest.sub(&depth);
            }
            depth
        };
        if next.assume_constraint(Constraint::ge(&depth, 1)).is_empty() {
            return None;
        }
        let holds = if is_own { holds.next() } else { None };
        let arguments = inner.arguments.iter();
        let arguments = arguments.map(|term| instantiate(*term, &instance.template, values));
        next.heap.atoms.push(Atom::Instance(Instance {
            values: holds.unwrap_or_default(),
            anchor_mask: library.get(inner.shape).anchor_mask(),
            shape: inner.shape,
            template,
            arguments: arguments.collect(),
            depth,
        }));
    }
    if n_own == 0 && next.assume_zero(&rest).is_empty() {
        return None;
    }
    Some(())
}

impl State {
    /// Adds `value = 0` where `value` equates an instance's end with the fresh
    /// block `base` that takes its place.
    fn assume_base(&mut self, value: &LinearExpr, base: logic::Var) -> super::facts::Sat {
        let other =
            value.variables().find(|v| *v != base && self.vocabulary.kind(*v) != Kind::Integer);
        match other {
            Some(variable) => {
                let rest = value.sub(&LinearExpr::var(variable));
                self.eliminate(variable, &rest.neg())
            }
            None => super::facts::Sat::Empty,
        }
    }

    /// `value` after the root variable of `old` was replaced so that `old = new`.
    fn rewrite_root(&self, value: &LinearExpr, old: &LinearExpr, new: &LinearExpr) -> LinearExpr {
        match old.variables().find(|v| self.vocabulary.kind(*v) != Kind::Integer) {
            Some(variable) if value.mentions(variable) => {
                let solution = new.sub(&old.sub(&LinearExpr::var(variable)));
                value.substitute(variable, &solution)
            }
            _ => value.clone(),
        }
    }
}
