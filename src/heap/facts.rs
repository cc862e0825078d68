//! What a state knows, and how it learns: equalities, disequalities, bounds.
//!
//! Every `surely_` question is answered *yes* only when it holds in all concrete
//! states that the state describes; *no* means "not known". Every `assume_`
//! returns [`Sat::Empty`] when no concrete state is left.

use super::Atom;
use super::state::{Kind, State};
use crate::logic::{Constraint, Integer, LinearExpr, Var};

/// Whether a state may still describe something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Sat {
    /// Surely nothing.
    Empty,
    /// Perhaps something.
    Maybe,
}

impl Sat {
    /// Whether nothing is left.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::Empty
    }
}

/// An allocated node or block that a variable points into.
struct Allocation {
    /// Which atom.
    atom: usize,
    /// The block starts at the variable plus this.
    start: Integer,
    /// Bytes of the block.
    size: LinearExpr,
}

/// Addresses of procedures are constants from here on; no block lies there.
pub const CODE_ADDRESSES: i128 = 1 << 100;

impl State {
    fn allocation(&self, variable: Var) -> Option<Allocation> {
        self.heap.atoms.iter().enumerate().find_map(|(atom, what)| match what {
            Atom::Block(block) => (block.base == variable).then(|| Allocation {
                atom,
                start: Integer::from(0),
                size: block.size.clone(),
            }),
            Atom::Instance(instance) => {
                let argument = instance.anchors().find(|(_, argument)| {
                    argument.terms().len() == 1
                        && argument.coefficient_ref(variable) == Some(&Integer::from(1))
                })?;
                let shift = argument.1.constant_part() - &Integer::from(instance.template.root);
                Some(Allocation {
                    atom,
                    start: shift,
                    size: LinearExpr::from(instance.template.size),
                })
            }
        })
    }

    /// Whether a variable points into memory that is allocated.
    #[must_use]
    pub fn is_allocated(&self, variable: Var) -> bool {
        self.allocation(variable).is_some()
    }

    fn surely_at_least(&self, value: &LinearExpr, bound: i64) -> bool {
        match value.as_constant() {
            Some(constant) => !(constant - &Integer::from(bound)).is_negative(),
            None => {
                self.kind_of(value) == Kind::Integer
                    && self.facts.numbers.entails(&Constraint::ge(value, bound))
            }
        }
    }

    /// Whether `value` differs from 0 in every concrete state: by a recorded
    /// disequality, by arithmetic, or by separation.
    #[must_use]
    pub fn surely_nonzero(&self, value: &LinearExpr) -> bool {
        if let Some(constant) = value.as_constant() {
            return !constant.is_zero();
        }
        let negated = value.neg();
        if self.facts.nonzero.iter().any(|fact| fact == value || *fact == negated) {
            return true;
        }
        let addresses: Vec<(Var, Integer)> = value
            .terms()
            .iter()
            .filter(|(v, _)| self.vocabulary.kind(*v) != Kind::Integer)
            .cloned()
            .collect();
        let (one, minus_one) = (Integer::from(1), Integer::from(-1));
        match addresses.as_slice() {
            [] => self.surely_at_least(value, 1) || self.surely_at_least(&negated, 1),
            [(v, sign)] if *sign == one => self.surely_not_null(*v, value),
            [(v, sign)] if *sign == minus_one => self.surely_not_null(*v, &negated),
            [(v, a), (w, b)] if *a == one && *b == minus_one => self.surely_apart(*v, *w, value),
            [(w, b), (v, a)] if *a == one && *b == minus_one => self.surely_apart(*v, *w, value),
            _ => false,
        }
    }

    /// `value = variable + rest`: not 0 when it lies at or behind the start of
    /// an allocated block, or is compared with a procedure's address.
    fn surely_not_null(&self, variable: Var, value: &LinearExpr) -> bool {
        let Some(allocation) = self.allocation(variable) else { return false };
        let offset = value.sub(&LinearExpr::var(variable)).add_constant(-&allocation.start);
        self.surely_at_least(&offset, 0)
            || offset.as_constant().is_some_and(|c| *c <= Integer::from(-(CODE_ADDRESSES / 2)))
    }

    /// `value = v - w + rest` with `v`, `w` in different atoms: were it 0, the
    /// start of one block would lie inside the other.
    fn surely_apart(&self, v: Var, w: Var, value: &LinearExpr) -> bool {
        let (Some(first), Some(second)) = (self.allocation(v), self.allocation(w)) else {
            return false;
        };
        if first.atom == second.atom {
            return false;
        }
        // start(w) = start(v) + distance, were the value 0.
        let rest = value.sub(&LinearExpr::var(v)).add(&LinearExpr::var(w));
        let distance = rest.add_constant(&second.start - &first.start);
        let inside = |distance: &LinearExpr, size: &LinearExpr| {
            self.surely_at_least(distance, 0) && self.surely_at_least(&size.sub(distance), 1)
        };
        inside(&distance, &first.size) || inside(&distance.neg(), &second.size)
    }

    /// Whether `value` is 0 in every concrete state.
    #[must_use]
    pub fn surely_zero(&self, value: &LinearExpr) -> bool {
        match value.as_constant() {
            Some(constant) => constant.is_zero(),
            None => {
                self.kind_of(value) == Kind::Integer
                    && self.facts.numbers.entails(&Constraint::zero(value.clone()))
            }
        }
    }

    /// Whether `value <= 0` in every concrete state.
    #[must_use]
    pub fn surely_at_most_zero(&self, value: &LinearExpr) -> bool {
        self.surely_at_least(&value.neg(), 0)
    }

    /// Adds `value = 0`.
    pub fn assume_zero(&mut self, value: &LinearExpr) -> Sat {
        if self.surely_nonzero(value) {
            return Sat::Empty;
        }
        if value.is_zero() {
            return Sat::Maybe;
        }
        let integer = self.kind_of(value) == Kind::Integer;
        match self.variable_to_eliminate(value) {
            Some(variable) => {
                let coefficient = value.coefficient(variable);
                let rest = value.sub(&LinearExpr::term(variable, coefficient.clone()));
                let solution = if coefficient == Integer::from(1) { rest.neg() } else { rest };
                self.eliminate(variable, &solution)
            }
            None if integer => self.assume_constraint(Constraint::zero(value.clone())),
            None => Sat::Maybe,
        }
    }

    /// Adds `value <= 0`. A comparison of addresses in different blocks, or with
    /// unknown values, says nothing.
    pub fn assume_at_most_zero(&mut self, value: &LinearExpr) -> Sat {
        if self.kind_of(value) != Kind::Integer {
            return Sat::Maybe;
        }
        self.assume_constraint(Constraint::at_most_zero(value.clone()))
    }

    /// Adds `value != 0`.
    pub fn assume_nonzero(&mut self, value: &LinearExpr) -> Sat {
        if self.surely_zero(value) {
            return Sat::Empty;
        }
        if self.kind_of(value) == Kind::Integer {
            if self.surely_at_least(value, 0) {
                return self.assume_constraint(Constraint::ge(value, 1));
            }
            if self.surely_at_least(&value.neg(), 0) {
                return self.assume_constraint(Constraint::le(value, -1));
            }
        }
        if !self.surely_nonzero(value) {
            self.facts.nonzero.push(value.clone());
        }
        Sat::Maybe
    }

    /// Adds a constraint over integers.
    pub fn assume_constraint(&mut self, constraint: Constraint) -> Sat {
        self.facts.numbers.assume(constraint);
        if self.facts.numbers.is_empty() { Sat::Empty } else { Sat::Maybe }
    }

    /// The variable that an equation `value = 0` is best solved for: one with
    /// coefficient ±1, unknown values before addresses before integers, later
    /// variables before seeds; allocated blocks keep their names.
    fn variable_to_eliminate(&self, value: &LinearExpr) -> Option<Var> {
        let kind = self.kind_of(value);
        let unit = |c: &Integer| *c == Integer::from(1) || *c == Integer::from(-1);
        let rank = |variable: Var| {
            let class = match self.vocabulary.kind(variable) {
                Kind::Unknown if !self.is_allocated(variable) => 0,
                Kind::Unknown | Kind::Address if self.block_at(variable).is_none() => 1,
                Kind::Integer if kind == Kind::Integer => 2,
                _ => return None,
            };
            Some((class, self.vocabulary.is_seed(variable), std::cmp::Reverse(variable)))
        };
        value
            .terms()
            .iter()
            .filter(|(_, coefficient)| unit(coefficient))
            .filter_map(|(variable, _)| rank(*variable).map(|rank| (rank, *variable)))
            .min()
            .map(|(_, variable)| variable)
    }

    /// Substitutes `solution` for `variable` everywhere. The numeric part keeps
    /// the equation when the variable is a seed, for relations speak of seeds.
    pub(crate) fn eliminate(&mut self, variable: Var, solution: &LinearExpr) -> Sat {
        self.update_exprs(&mut |expr| {
            if expr.mentions(variable) {
                *expr = expr.substitute(variable, solution);
            }
        });
        if self.vocabulary.kind(variable) == Kind::Integer {
            if self.kind_of(solution) != Kind::Integer {
                self.facts.numbers = self.facts.numbers.project_onto(&|v| v != variable);
            } else if self.vocabulary.is_seed(variable) {
                self.facts.numbers.assume(Constraint::eq(variable, solution));
            } else {
                self.facts.numbers.substitute(variable, solution);
            }
        }
        self.settle()
    }

    /// Looks for contradictions after a substitution and drops facts that say
    /// nothing any more.
    pub(crate) fn settle(&mut self) -> Sat {
        if self.facts.nonzero.iter().any(LinearExpr::is_zero) || self.facts.numbers.is_empty() {
            return Sat::Empty;
        }
        self.facts.nonzero.retain(|fact| fact.as_constant().is_none());
        if self.heap_is_contradictory() { Sat::Empty } else { Sat::Maybe }
    }

    /// Two atoms at one address, or an atom at null.
    fn heap_is_contradictory(&self) -> bool {
        let mut starts: Vec<(LinearExpr, usize)> = Vec::with_capacity(self.heap.atoms.len());
        for (index, atom) in self.heap.atoms.iter().enumerate() {
            match atom {
                Atom::Block(block) => starts.push((block.base.into(), index)),
                Atom::Instance(instance) => {
                    starts.extend(
                        instance
                            .anchors()
                            .map(|(_, root)| (instance.template.start_of(root), index)),
                    );
                }
            }
        }
        starts.sort();
        starts.iter().any(|(start, _)| start.as_constant().is_some())
            || starts.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1)
    }
}
