//! A state: values of program variables, a symbolic heap, pure facts.

use super::products::Product;
use super::{Atom, SymbolicHeap, code};
use ir::Variable;
use logic::{LinearExpr, Var};
use numeric::polyhedron::Polyhedron;

/// What a logical variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An integer: a program value, a depth, a size, an offset. Only these
    /// occur in the numeric part, and only these are measured.
    Integer,
    /// An address at which a block starts or started, or a node's address.
    Address,
    /// Any value: an address that nothing is known of, or no address at all.
    Unknown,
    /// A pointer to a function that was there before the run: it came in with the call of a
    /// function that is analysed by itself. Else like [`Kind::Unknown`], which
    /// [`State::kind_of`] says of it, too.
    Foreign,
    /// A number in each node of an instance, or the position of the node
    /// ([`values`](super::values)). Occurs there and in the numeric part only.
    Summary,
}

/// The variables of one state, and the only source of fresh ones.
///
/// The first [`Self::n_seeds`] variables are *seeds* (CAV'06 §4): they stand for
/// the values at the cutpoint from which the state was reached, and no step
/// changes what they stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    kinds: Vec<Kind>,
    n_seeds: usize,
}

impl Vocabulary {
    /// A variable that the state has not used.
    pub fn fresh(&mut self, kind: Kind) -> Var {
        self.kinds.push(kind);
        Var::at(self.kinds.len() - 1)
    }

    /// What a variable stands for.
    #[must_use]
    pub fn kind(&self, variable: Var) -> Kind {
        self.kinds.get(variable.index()).copied().unwrap_or(Kind::Unknown)
    }

    /// How many variables there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is no variable.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Whether a variable is a seed.
    #[must_use]
    pub fn is_seed(&self, variable: Var) -> bool {
        variable.index() < self.n_seeds
    }

    /// How many seeds there are.
    #[must_use]
    pub fn n_seeds(&self) -> usize {
        self.n_seeds
    }

    /// Makes all variables so far seeds.
    pub fn seed_all(&mut self) {
        self.n_seeds = self.kinds.len();
    }

    /// All variables of a kind, in order.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = Var> + '_ {
        self.kinds
            .iter()
            .enumerate()
            .filter(move |(_, own)| **own == kind)
            .map(|(index, _)| Var::at(index))
    }
}

/// The values of some program variables, by variable.
pub type Store = Vec<(Variable, LinearExpr)>;

/// Facts about values that the heap does not imply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Linear constraints over the variables of kind [`Kind::Integer`].
    pub numbers: Polyhedron,
    /// Expressions known to differ from 0.
    pub nonzero: Vec<LinearExpr>,
    /// What is known of products of two numbers.
    pub products: Vec<Product>,
}

/// What may be at a program point: a set of concrete states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The variables.
    pub vocabulary: Vocabulary,
    /// Values of program variables: the globals' in entry 0, then one entry a
    /// frame, outermost first. An absent variable may have any value.
    pub stores: Vec<Store>,
    /// The memory.
    pub heap: SymbolicHeap,
    /// Pure facts.
    pub facts: Facts,
    /// Whether unreachable heap blocks were forgotten.
    pub junk: Junk,
}

/// Whether a state says nothing of some leaked blocks (`junk` in CAV'06).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Junk {
    /// Every heap block is in an atom.
    #[default]
    None,
    /// There may be more blocks, which nothing points at.
    Some,
    /// The same, since the last command; that was not said yet.
    Lost,
}

impl State {
    /// The state before the first step: no variables, no memory.
    #[must_use]
    pub fn initial() -> Self {
        let mut state = Self::default();
        state.stores.push(Store::new());
        state.stores.push(Store::new());
        state
    }

    /// A fresh variable.
    pub fn fresh(&mut self, kind: Kind) -> Var {
        self.vocabulary.fresh(kind)
    }

    /// The depth of the innermost frame.
    #[must_use]
    pub fn frame_depth(&self) -> u32 {
        u32::try_from(self.stores.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// The value of a variable in one of the stores, if it is known.
    #[must_use]
    pub fn value_in(&self, store: usize, variable: Variable) -> Option<&LinearExpr> {
        let store = self.stores.get(store)?;
        let position = store.binary_search_by_key(&variable, |(known, _)| *known).ok()?;
        Some(&store[position].1)
    }

    /// Sets the value of a variable in one of the stores.
    pub fn set_in(&mut self, store: usize, variable: Variable, value: LinearExpr) {
        let store = &mut self.stores[store];
        match store.binary_search_by_key(&variable, |(known, _)| *known) {
            Ok(position) => store[position].1 = value,
            Err(position) => store.insert(position, (variable, value)),
        }
    }

    /// Calls `visit` for every expression of stores, heap, disequalities and products.
    pub fn for_each_expr(&self, visit: &mut impl FnMut(&LinearExpr)) {
        self.stores.iter().flatten().for_each(|(_, value)| visit(value));
        self.heap.atoms.iter().for_each(|atom| atom.for_each_expr(visit));
        self.facts.nonzero.iter().for_each(&mut *visit);
        self.facts.products.iter().flat_map(Product::numbers).for_each(visit);
    }

    /// Replaces every expression of stores, heap, disequalities and products; bases of
    /// blocks and the numeric part are left alone.
    pub fn update_exprs(&mut self, update: &mut impl FnMut(&mut LinearExpr)) {
        self.stores.iter_mut().flatten().for_each(|(_, value)| update(value));
        self.heap.atoms.iter_mut().for_each(|atom| atom.update_exprs(update));
        self.facts.nonzero.iter_mut().for_each(&mut *update);
        self.facts.products.iter_mut().flat_map(Product::numbers_mut).for_each(update);
    }

    /// What it costs to look at the state, in steps: large systems of constraints
    /// are dear.
    #[must_use]
    pub fn weight(&self) -> u64 {
        let n_constraints = self.facts.numbers.constraints().len();
        let weight = n_constraints * n_constraints * self.heap.atoms.len() / 512;
        u64::try_from(weight).unwrap_or(u64::MAX)
    }

    /// What it costs, in steps, to match the state with another one, or to fold one node of it.
    #[must_use]
    pub fn matching_cost(&self) -> u64 {
        let n_atoms = self.heap.atoms.len();
        let n_constraints = self.facts.numbers.constraints().len();
        u64::try_from(n_atoms * (n_atoms + n_constraints) / 1024).unwrap_or(u64::MAX)
    }

    /// The block that starts at a variable.
    #[must_use]
    pub fn block_at(&self, base: Var) -> Option<usize> {
        self.heap
            .atoms
            .iter()
            .position(|atom| matches!(atom, Atom::Block(block) if block.base == base))
    }

    /// The kind of the value: [`Kind::Integer`] only if all its variables are, and
    /// no address of a procedure is in it.
    #[must_use]
    pub fn kind_of(&self, value: &LinearExpr) -> Kind {
        let mut kind =
            if code::is_in(value.constant_part()) { Kind::Unknown } else { Kind::Integer };
        for variable in value.variables() {
            match self.vocabulary.kind(variable) {
                Kind::Integer => {}
                Kind::Address if kind == Kind::Integer => kind = Kind::Address,
                Kind::Address | Kind::Unknown | Kind::Foreign | Kind::Summary => {
                    kind = Kind::Unknown;
                }
            }
        }
        kind
    }
}
