//! What a state knows, and how it learns: equalities, disequalities, bounds.
//!
//! Every `surely_` question is answered *yes* only when it holds in all concrete
//! states that the state describes; *no* means "not known". Every `assume_`
//! returns [`Sat::Empty`] when no concrete state is left.

use super::state::{Kind, State};
use super::{Atom, code};
use ir::MemoryKind;
use ir::semantics::EDGE;
use logic::{Constraint, Integer, LinearExpr, Var};

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
    /// Bytes of the block, at least.
    size: LinearExpr,
}

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
                Some(Allocation { atom, start: shift, size: instance.template.least_size() })
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
            Some(constant) => {
                !code::is_in(constant) && !(constant - &Integer::from(bound)).is_negative()
            }
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
        match value.as_constant() {
            Some(constant) if code::is_in(constant) => return code::surely_nonzero(constant),
            Some(constant) => return !constant.is_zero(),
            None => {}
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

    /// `value = variable + rest`: not 0 when it lies in an allocated block or close
    /// behind it, or is the distance between a byte of a block and a procedure.
    fn surely_not_null(&self, variable: Var, value: &LinearExpr) -> bool {
        let Some(allocation) = self.allocation(variable) else { return false };
        let offset = value.sub(&LinearExpr::var(variable)).add_constant(-&allocation.start);
        let (offset, beyond) = if code::is_in(offset.constant_part()) {
            let distance = code::distance_of(offset.constant_part());
            (offset.add_constant(&distance - offset.constant_part()), 0)
        } else {
            (offset, EDGE)
        };
        let room = allocation.size.add_constant(Integer::from(beyond - 1)).sub(&offset);
        self.surely_at_least(&offset, 0) && self.surely_at_least(&room, 0)
    }

    /// Whether an address surely lies within [`EDGE`] bytes of a block that is
    /// allocated, so that counting from the block never left the address space.
    #[must_use]
    pub fn surely_near(&self, value: &LinearExpr) -> bool {
        let (one, edge) = (Integer::from(1), Integer::from(EDGE - 1));
        value.terms().iter().filter(|(_, factor)| *factor == one).any(|(variable, _)| {
            let Some(allocation) = self.allocation(*variable) else { return false };
            let offset = value.sub(&LinearExpr::var(*variable)).add_constant(-&allocation.start);
            let room = allocation.size.add_constant(edge.clone()).sub(&offset);
            self.surely_at_least(&offset.add_constant(edge.clone()), 0)
                && self.surely_at_least(&room, 0)
        })
    }

    /// Whether the number behind an address is surely the value itself, without
    /// reduction to the address space: of an address of a block or a procedure, of a
    /// value that nothing is known of, of an address near an allocated block.
    #[must_use]
    pub fn surely_exact(&self, value: &LinearExpr) -> bool {
        match value.as_constant() {
            Some(constant) => code::procedure_at(constant).is_some(),
            None => value.as_var().is_some() || self.surely_near(value),
        }
    }

    /// The alignment of an address at a constant distance from the start of an
    /// allocated heap block, and the remainder modulo it.
    #[must_use]
    pub fn alignment_of(&self, value: &LinearExpr, pointer_bytes: u32) -> Option<(i128, i128)> {
        let variable = value.sub(&LinearExpr::constant(value.constant_part().clone())).as_var()?;
        let allocation = self.allocation(variable)?;
        let kind = match &self.heap.atoms[allocation.atom] {
            Atom::Block(block) => block.region.kind,
            Atom::Instance(instance) => instance.template.region.kind,
        };
        let offset = (value.constant_part() - &allocation.start).to_i128()?;
        let alignment = i128::from(2 * pointer_bytes);
        (kind == MemoryKind::Heap).then(|| (alignment, offset.rem_euclid(alignment)))
    }

    /// `value = v - w + rest` with `v`, `w` in different atoms: were it 0, the
    /// start of one block would lie inside the other, whichever comes first.
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
        let ends_behind = self.surely_at_least(&first.size.sub(&distance), 1);
        let begins_before = self.surely_at_least(&second.size.add(&distance), 1);
        ends_behind && (begins_before || self.surely_at_least(&distance, 0))
            || begins_before && self.surely_at_least(&distance.neg(), 0)
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
                // An address that equals a number modulo the address space is the number
                // only if that lies there.
                if !integer && !self.surely_addressable(&solution) {
                    return Sat::Maybe;
                }
                // A block may lie at any number but 0.
                let is_number = solution.as_constant().is_some_and(|it| !it.is_zero());
                if is_number && self.is_argument(variable) {
                    return Sat::Maybe;
                }
                self.eliminate(variable, &solution)
            }
            None if integer => self.assume_constraint(Constraint::zero(value.clone())),
            None => Sat::Maybe,
        }
    }

    /// Whether an instance of a shape has a variable in its arguments.
    fn is_argument(&self, variable: Var) -> bool {
        self.heap.atoms.iter().any(|atom| match atom {
            Atom::Instance(it) => it.arguments.iter().any(|it| it.mentions(variable)),
            Atom::Block(_) => false,
        })
    }

    /// Whether a value is no integer, or one that an address may be.
    fn surely_addressable(&self, value: &LinearExpr) -> bool {
        let room = value.neg().add_constant(Integer::from((1_i128 << 64) - 1));
        self.kind_of(value) != Kind::Integer
            || (self.surely_at_least(value, 0) && self.surely_at_least(&room, 0))
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
                Kind::Foreign => 1,
                Kind::Unknown | Kind::Address if self.block_at(variable).is_none() => 2,
                Kind::Integer if kind == Kind::Integer => 3,
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
    pub fn eliminate(&mut self, variable: Var, solution: &LinearExpr) -> Sat {
        self.update_exprs(&mut |expr| {
            if expr.mentions(variable) {
                *expr = expr.substitute(variable, solution);
            }
        });
        if self.vocabulary.kind(variable) == Kind::Integer {
            if self.kind_of(solution) != Kind::Integer {
                self.forget_strange_products();
                self.facts.numbers = self.facts.numbers.project_onto(&|v| v != variable);
            } else if self.vocabulary.is_seed(variable) {
                self.facts.numbers.assume(Constraint::eq(variable, solution));
            } else {
                self.facts.numbers.substitute(variable, solution);
            }
        }
        match self.settle() {
            Sat::Empty => Sat::Empty,
            Sat::Maybe => self.settle_products(),
        }
    }

    /// Looks for contradictions after a substitution and drops facts that say
    /// nothing any more.
    pub fn settle(&mut self) -> Sat {
        if self.facts.nonzero.iter().any(LinearExpr::is_zero) || self.facts.numbers.is_empty() {
            return Sat::Empty;
        }
        self.facts.nonzero.retain(|fact| fact.as_constant().is_none());
        if self.heap_is_contradictory() { Sat::Empty } else { Sat::Maybe }
    }

    /// Two atoms at one address, or an atom at null.
    fn heap_is_contradictory(&self) -> bool {
        let mut is_at_null = false;
        let mut starts: Vec<(LinearExpr, usize)> = Vec::with_capacity(self.heap.atoms.len());
        for (index, atom) in self.heap.atoms.iter().enumerate() {
            match atom {
                Atom::Block(block) => starts.push((block.base.into(), index)),
                Atom::Instance(instance) => {
                    is_at_null |= instance.anchors().any(|(_, root)| root.is_zero());
                    starts.extend(
                        instance
                            .anchors()
                            .map(|(_, root)| (instance.template.start_of(root), index)),
                    );
                }
            }
        }
        starts.sort();
        is_at_null || starts.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1)
    }
}
