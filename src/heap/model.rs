//! When does a concrete state satisfy a symbolic one? By the definitions alone:
//! the referee of execution, unfolding, folding and entailment.
//!
//! A *model* gives logical variables values so that everything the state says
//! is true. What instances mean is in [`definitions`](super::definitions).
//!
//! * What the run has not chosen yet (unassigned variables, unwritten bytes)
//!   agrees with anything; only zeroed blocks must really hold zeros.
//! * A number that nothing determines exists if the constraints leave it room.
//! * Which frame a stack block belongs to is not checked, nor that junk is
//!   unreachable.
//!
//! Clear and slow is right here: all models are listed.

use super::definitions::{Definitions, address_of, form_of, start_of};
use super::products::Product;
use super::shape::ShapeLibrary;
use super::state::{Junk, Kind, State};
use super::{Atom, Block, Content, Instance};
use concrete::memory::{Lifetime, MemoryBlockId};
use concrete::state::State as ConcreteState;
use ir::{MemoryKind, ScalarType, Variable};
use logic::{Constraint, Integer, LinearExpr, Var};
use numeric::polyhedron::Polyhedron;
use std::collections::BTreeSet;

/// So many models of one state are listed.
pub const MAX_MODELS: usize = 512;
/// Stands for an address where numbers are asked for: of a node's pointer it is only
/// ever said that it is 0.
const NOT_NULL: i64 = -1;

/// Values of the logical variables of a state, as far as they are determined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valuation {
    values: Vec<Option<LinearExpr>>,
}

impl Valuation {
    /// The number that a variable is, if it is determined and a number.
    #[must_use]
    pub fn number(&self, variable: Var) -> Option<&Integer> {
        self.value(variable)?.as_constant()
    }

    /// The value of a variable, if it is determined.
    #[must_use]
    pub fn value(&self, variable: Var) -> Option<&LinearExpr> {
        self.values.get(variable.index())?.as_ref()
    }
}

/// Whether `symbolic` describes `concrete`.
#[must_use]
pub fn satisfies(concrete: &ConcreteState, symbolic: &State, library: &ShapeLibrary) -> bool {
    !valuations(concrete, symbolic, library).is_empty()
}

/// What a symbolic state speaks of in a concrete one.
#[derive(Clone, Copy, Debug)]
pub enum View<'a> {
    /// All of it.
    Whole,
    /// What a call can see: some part of the memory, and the variables of the frames but the
    /// first ones. Beside them, these variables have these values.
    Call {
        /// How many frames are left out.
        n_callers: usize,
        /// The values of other variables.
        slots: &'a [(Variable, LinearExpr)],
    },
}

/// The models that `concrete` has as a state that `symbolic` describes, up to
/// a generous number.
#[must_use]
pub fn valuations(
    concrete: &ConcreteState,
    symbolic: &State,
    library: &ShapeLibrary,
) -> Vec<Valuation> {
    valuations_of(concrete, View::Whole, symbolic, library)
}

/// The models that a part of `concrete` has as a state that `symbolic` describes, up to
/// [`MAX_MODELS`].
#[must_use]
pub fn valuations_of(
    concrete: &ConcreteState,
    view: View<'_>,
    symbolic: &State,
    library: &ShapeLibrary,
) -> Vec<Valuation> {
    let mut models = Vec::new();
    let referee = Referee {
        heap: Definitions { memory: concrete.memory(), shape_library: library },
        view,
        symbolic,
    };
    if let Some(equations) = store_equations(concrete, view, symbolic) {
        let search = Search {
            values: vec![None; symbolic.vocabulary.len()],
            equations,
            open: (0..symbolic.heap.atoms.len()).collect(),
            used: BTreeSet::new(),
            nodes: Vec::new(),
        };
        referee.solve(search, &mut models);
    }
    models
}

/// Every variable that the state speaks of has the value that the run gave it.
fn store_equations(
    concrete: &ConcreteState,
    view: View<'_>,
    symbolic: &State,
) -> Option<Vec<Equation>> {
    let (n_callers, slots) = match view {
        View::Whole => (0, &[][..]),
        View::Call { n_callers, slots } => (n_callers, slots),
    };
    let frames = concrete.frames().get(n_callers..)?;
    if symbolic.stores.len() != frames.len() + 1 {
        return None;
    }
    let form = |(variable, value)| (variable, form_of(value));
    let globals = concrete.globals().map(form).chain(slots.iter().cloned()).collect();
    let locals = frames.iter().map(|frame| frame.variables().map(form).collect());
    let scopes = std::iter::once(globals).chain(locals);
    let mut equations = Vec::new();
    for (store, scope) in symbolic.stores.iter().zip::<Vec<Vec<_>>>(scopes.collect()) {
        for (variable, value) in store {
            if let Some((_, found)) = scope.iter().find(|(known, _)| known == variable) {
                equations.push(Equation { symbolic: value.clone(), concrete: found.clone() });
            }
        }
    }
    Some(equations)
}

/// An expression of the state, and the value that it must have.
#[derive(Clone, Debug)]
struct Equation {
    symbolic: LinearExpr,
    concrete: LinearExpr,
}

/// A model in the making.
#[derive(Clone, Debug)]
struct Search {
    values: Vec<Option<LinearExpr>>,
    equations: Vec<Equation>,
    /// The atoms that are not made up yet.
    open: Vec<usize>,
    /// The blocks that make up the others.
    used: BTreeSet<MemoryBlockId>,
    /// The nodes of instances of whose fields something is known.
    nodes: Vec<(usize, Vec<MemoryBlockId>)>,
}

impl Search {
    /// The value of an expression, if all its variables have one.
    fn value(&self, symbolic: &LinearExpr) -> Option<LinearExpr> {
        let is_known = symbolic.variables().all(|v| self.values[v.index()].is_some());
        is_known.then(|| symbolic.map(|v| self.values[v.index()].clone().unwrap_or_default()))
    }

    fn unbound(&self, symbolic: &LinearExpr) -> Vec<Var> {
        symbolic.variables().filter(|v| self.values[v.index()].is_none()).collect()
    }

    /// The terms of an expression that have a value, and the others.
    fn split(&self, symbolic: &LinearExpr) -> (LinearExpr, LinearExpr) {
        let unbound = self.unbound(symbolic);
        let open = unbound.iter().map(|v| (*v, symbolic.coefficient(*v)));
        let open = LinearExpr::from_terms(open, Integer::ZERO);
        let known = self.value(&symbolic.sub(&open)).unwrap_or_default();
        (known, open)
    }
}

struct Referee<'a> {
    heap: Definitions<'a>,
    view: View<'a>,
    symbolic: &'a State,
}

impl Referee<'_> {
    /// Lists the models that a search leads to.
    fn solve(&self, mut search: Search, models: &mut Vec<Valuation>) {
        if models.len() >= MAX_MODELS || self.propagate(&mut search).is_none() {
            return;
        }
        let Some(position) = self.next_atom(&search) else {
            let whole = self.place_rows(search).into_iter();
            models.extend(whole.filter_map(|it| self.finish(it)));
            return;
        };
        let index = search.open.remove(position);
        let ways = match &self.symbolic.heap.atoms[index] {
            Atom::Block(block) => self.place_block(&search, block),
            Atom::Instance(instance) => self.place_instance(&search, index, instance),
        };
        for way in ways {
            self.solve(way, models);
        }
    }

    /// An open atom with a known address, if there is one.
    fn next_atom(&self, search: &Search) -> Option<usize> {
        let is_anchored = |index: &usize| match &self.symbolic.heap.atoms[*index] {
            Atom::Block(block) => search.values[block.base.index()].is_some(),
            Atom::Instance(instance) => {
                instance.anchors().any(|(_, root)| search.value(root).is_some())
            }
        };
        let anchored = search.open.iter().position(is_anchored);
        anchored.or_else(|| (!search.open.is_empty()).then_some(0))
    }

    /// Solves equations with one unknown. `None` when one does not hold.
    fn propagate(&self, search: &mut Search) -> Option<()> {
        loop {
            let mut open = Vec::new();
            let mut has_grown = false;
            for equation in std::mem::take(&mut search.equations) {
                match search.unbound(&equation.symbolic).as_slice() {
                    [] => (search.value(&equation.symbolic)? == equation.concrete).then_some(())?,
                    [variable] => {
                        self.bind(search, *variable, &equation)?;
                        has_grown = true;
                    }
                    several => {
                        if let Some(address) = self.fixed_address(search, several, &equation) {
                            search.values[address.0.index()] = Some(address.1);
                            has_grown = true;
                        }
                        open.push(equation);
                    }
                }
            }
            search.equations = open;
            if !has_grown {
                return Some(());
            }
        }
    }

    /// Binds the only unknown of an equation.
    fn bind(&self, search: &mut Search, variable: Var, equation: &Equation) -> Option<()> {
        let (known, open) = search.split(&equation.symbolic);
        let factor = open.coefficient(variable);
        let scaled = equation.concrete.sub(&known);
        let is_divisible = factor.divides(scaled.constant_part())
            && scaled.terms().iter().all(|(_, coefficient)| factor.divides(coefficient));
        let quotient = |number: &Integer| number.div_exact(&factor);
        let value = is_divisible.then(|| {
            let terms = scaled.terms().iter().map(|(v, coefficient)| (*v, quotient(coefficient)));
            LinearExpr::from_terms(terms, quotient(scaled.constant_part()))
        })?;
        let is_address = address_of(&value).is_some();
        let fits = match self.symbolic.vocabulary.kind(variable) {
            Kind::Address => is_address,
            // The number of an address that an integer holds is not known.
            Kind::Integer => is_address || value.as_constant().is_some(),
            Kind::Unknown | Kind::Foreign => true,
            Kind::Summary => false,
        };
        search.values[variable.index()] = fits.then_some(value);
        fits.then_some(())
    }

    /// `address + numbers = value`: the address is known if an atom lies there.
    fn fixed_address(
        &self,
        search: &Search,
        unbound: &[Var],
        equation: &Equation,
    ) -> Option<(Var, LinearExpr)> {
        let is_number = |v: &Var| self.symbolic.vocabulary.kind(*v) == Kind::Integer;
        let mut addresses = unbound.iter().filter(|v| !is_number(v));
        let (address, None) = (*addresses.next()?, addresses.next()) else { return None };
        let (known, open) = search.split(&equation.symbolic);
        if !open.coefficient(address).is_one() {
            return None;
        }
        let (block, _) = address_of(&equation.concrete.sub(&known))?;
        self.symbolic.heap.atoms.iter().find_map(|atom| match atom {
            Atom::Block(own) => (own.base == address).then(|| (address, start_of(block))),
            Atom::Instance(instance) => instance.anchors().find_map(|(_, root)| {
                let shift = root.sub(&LinearExpr::var(address));
                let shift = instance.template.start_of(&shift).as_constant()?.clone();
                Some((address, start_of(block).add_constant(-&shift)))
            }),
        })
    }

    fn place_block(&self, search: &Search, block: &Block) -> Vec<Search> {
        let candidates = match &search.values[block.base.index()] {
            Some(base) => match address_of(base) {
                Some((id, offset)) if offset.is_zero() => vec![id],
                _ => Vec::new(),
            },
            None => self.heap.memory.live_blocks().map(|(id, _)| id).collect(),
        };
        let placed = candidates.into_iter().filter_map(|id| {
            self.block_at(search, block, id).map(|next| self.float(&next, block, id))
        });
        placed.flatten().collect()
    }

    /// The ways to place the floating cells in a concrete block.
    fn float(&self, search: &Search, block: &Block, id: MemoryBlockId) -> Vec<Search> {
        let mut ways = vec![search.clone()];
        for floating in block.floats() {
            let room = self.heap.memory.block(id).size - i128::from(self.width(floating.ty));
            let last = i64::try_from(room).unwrap_or(-1);
            let place = |search: &Search, offset: i64| {
                let mut next = search.clone();
                let (symbolic, concrete) = (floating.offset.clone(), LinearExpr::from(offset));
                next.equations.push(Equation { symbolic, concrete });
                if let Some(concrete) = self.heap.read(id, offset, floating.ty) {
                    next.equations.push(Equation { symbolic: floating.value.clone(), concrete });
                }
                next
            };
            ways = ways.iter().flat_map(|way| (0..=last).map(|at| place(way, at))).collect();
        }
        ways
    }

    /// The block atom is the concrete block `id`.
    fn block_at(&self, search: &Search, block: &Block, id: MemoryBlockId) -> Option<Search> {
        let found = self.heap.memory.block(id);
        let is_free = found.lifetime == Lifetime::Live && !search.used.contains(&id);
        (is_free && found.kind == block.region.kind).then_some(())?;
        let mut next = search.clone();
        next.values[block.base.index()] = Some(start_of(id));
        next.used.insert(id);
        let size = LinearExpr::constant(found.size);
        next.equations.push(Equation { symbolic: block.size.clone(), concrete: size });
        for cell in &block.cells {
            let end = i128::from(cell.offset) + i128::from(self.width(cell.ty));
            // Behind the end of a block there is nothing to say anything of.
            if cell.offset < 0 || end > found.size {
                continue;
            }
            if let Some(concrete) = self.heap.read(id, cell.offset, cell.ty) {
                next.equations.push(Equation { symbolic: cell.value.clone(), concrete });
            }
        }
        let is_covered = |offset: i64| {
            block
                .cells
                .iter()
                .any(|cell| (cell.offset..cell.offset + self.width(cell.ty)).contains(&offset))
        };
        let n_bytes = i64::try_from(found.size).ok()?;
        let is_plain = block.recent.is_empty() && block.segment.is_none();
        let zeros = block.content == Content::Arbitrary
            || !is_plain
            || (0..n_bytes).all(|offset| is_covered(offset) || self.heap.is_zero(id, offset));
        zeros.then_some(next)
    }

    fn width(&self, ty: ScalarType) -> i64 {
        ty.bytes(self.heap.memory.pointer_bytes()).into()
    }

    fn place_instance(&self, search: &Search, index: usize, instance: &Instance) -> Vec<Search> {
        let arguments: Vec<_> =
            instance.arguments.iter().map(|argument| search.value(argument)).collect();
        let models =
            self.heap.models_instance(instance.shape, &instance.template, &arguments, &search.used);
        models
            .into_iter()
            .map(|model| {
                let mut next = search.clone();
                let concrete = LinearExpr::from(i64::try_from(model.depth()).unwrap_or(i64::MAX));
                next.equations.push(Equation { symbolic: instance.depth.clone(), concrete });
                if !instance.values.is_empty() {
                    next.nodes.push((index, model.nodes));
                }
                next.used.extend(model.blocks);
                for (argument, value) in instance.arguments.iter().zip(model.values) {
                    let concrete = value.into_iter();
                    next.equations.extend(
                        concrete.map(|it| Equation { symbolic: argument.clone(), concrete: it }),
                    );
                }
                next
            })
            .collect()
    }

    /// All atoms are made up: facts and leaks remain.
    fn finish(&self, mut search: Search) -> Option<Valuation> {
        let unused = self.heap.memory.live_blocks().filter(|(id, _)| !search.used.contains(id));
        let has_leak = unused.into_iter().any(|(_, block)| block.kind == MemoryKind::Heap);
        let is_whole = matches!(self.view, View::Whole);
        if is_whole && has_leak && self.symbolic.junk == Junk::None {
            return None;
        }
        self.choose_addresses(&mut search)?;
        let is_nonzero =
            |fact: &LinearExpr| search.value(fact).is_none_or(|value| !value.is_zero());
        let holds =
            self.symbolic.facts.nonzero.iter().all(is_nonzero) && self.numbers_exist(&search);
        let holds = holds && self.symbolic.facts.products.iter().all(|it| may_hold(&search, it));
        holds.then_some(Valuation { values: search.values })
    }

    /// An address that only sums with unknown numbers mention starts its block.
    fn choose_addresses(&self, search: &mut Search) -> Option<()> {
        for index in 0..search.equations.len() {
            let Some(equation) = search.equations.get(index).cloned() else { break };
            let unbound = search.unbound(&equation.symbolic);
            let is_number = |v: &Var| self.symbolic.vocabulary.kind(*v) == Kind::Integer;
            let address = unbound.iter().find(|v| !is_number(v));
            let (known, _) = search.split(&equation.symbolic);
            if let (Some(address), Some((block, _))) =
                (address, address_of(&equation.concrete.sub(&known)))
            {
                search.values[address.index()] = Some(start_of(block));
                self.propagate(search)?;
            }
        }
        Some(())
    }

    /// Whether the numbers that are determined leave room for the others.
    fn numbers_exist(&self, search: &Search) -> bool {
        let mut numbers = self.numbers_of_nodes(search);
        for variable in self.symbolic.vocabulary.of_kind(Kind::Integer) {
            let Some(value) = &search.values[variable.index()] else { continue };
            numbers.assume(match value.as_constant() {
                Some(number) => Constraint::eq(variable, LinearExpr::constant(number.clone())),
                // Of the number of an address it is known that it is not that of null.
                None => Constraint::ge(variable, LinearExpr::constant(1)),
            });
        }
        let known = |it: &LinearExpr| search.value(it)?.as_constant().cloned();
        for product in &self.symbolic.facts.products {
            let factors = known(&product.left).zip(known(&product.right));
            if let Some((left, right)) = factors
                && let Some(value) = product.value_of(&left, &right)
            {
                let value = LinearExpr::constant(value);
                numbers.assume(Constraint::eq(product.value.clone(), value));
            }
        }
        for equation in &search.equations {
            let (known, open) = search.split(&equation.symbolic);
            let rest = equation.concrete.sub(&known);
            let is_number = |v: Var| self.symbolic.vocabulary.kind(v) == Kind::Integer;
            if rest.as_constant().is_some() && open.variables().all(is_number) {
                numbers.assume(Constraint::zero(open.sub(&rest)));
            }
        }
        !numbers.is_empty() && self.elements_exist(search, &self.arrays(search), &numbers)
    }

    /// The numbers, with what they say of each node instead of what they say of
    /// summarized dimensions.
    fn numbers_of_nodes(&self, search: &Search) -> Polyhedron {
        let of_elements = self.dimensions_of_elements();
        let is_plain =
            |constraint: &&Constraint| !of_elements.iter().any(|v| constraint.mentions(*v));
        let all = self.symbolic.facts.numbers.constraints().iter();
        let mut constraints: Vec<Constraint> = all.filter(is_plain).cloned().collect();
        for (index, nodes) in &search.nodes {
            let Atom::Instance(instance) = &self.symbolic.heap.atoms[*index] else { continue };
            let summarized = |constraint: &Constraint| {
                instance.values.variables().any(|variable| constraint.mentions(variable))
            };
            let (about, others): (Vec<Constraint>, Vec<Constraint>) =
                constraints.into_iter().partition(summarized);
            constraints = others;
            for (position, node) in nodes.iter().enumerate() {
                let image = |v: Var| self.value_in_node(instance, *node, position, v);
                constraints.extend(about.iter().filter_map(|constraint| {
                    let known = constraint.expr().variables().all(|v| image(v).is_some());
                    known.then(|| constraint.map(|v| image(v).unwrap_or_default()))
                }));
            }
        }
        Polyhedron::of(constraints)
    }

    /// What a variable is at a node: a summarized dimension has a number there,
    /// if the run chose one, and other variables are what they are. A pointer that is
    /// not null has a number that no constraint allows.
    fn value_in_node(
        &self,
        instance: &Instance,
        node: MemoryBlockId,
        position: usize,
        variable: Var,
    ) -> Option<LinearExpr> {
        if instance.values.position == Some(variable) {
            return i64::try_from(position).ok().map(LinearExpr::from);
        }
        match instance.values.fields.iter().find(|field| field.value == variable) {
            Some(field) => {
                let value = self.heap.read(node, field.offset, field.ty)?;
                match (value.as_constant(), field.ty) {
                    (Some(_), _) => Some(value),
                    (None, ScalarType::Pointer) => Some(NOT_NULL.into()),
                    (None, ScalarType::Int(_) | ScalarType::Float(_)) => None,
                }
            }
            None => Some(variable.into()),
        }
    }
}

#[path = "model/elements.rs"]
mod elements;
#[path = "model/rows.rs"]
mod rows;

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;

/// Whether a product is right, as far as its numbers are determined.
fn may_hold(search: &Search, product: &Product) -> bool {
    let number = |it: &LinearExpr| search.value(it)?.as_constant().cloned();
    let numbers = [&product.left, &product.right, &product.value].map(number);
    let [Some(left), Some(right), Some(value)] = numbers else { return true };
    product.value_of(&left, &right).is_none_or(|it| it == value)
}
