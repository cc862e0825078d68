//! Calls of recursive procedures: tabulated by entry state.
//!
//! ```text
//!   Q = L * F    L: what arguments and globals reach    L ⊢ σ(E)
//!   E is an entry state of f, X one of its exit states
//!   ──────────────────────────────────────────────────────────────── CALL
//!   {Q} x := f(ē) {X & in₁ = σ(e₁) & … & x = result * F}
//! ```
//!
//! In the body of `f` each variable `eᵢ` of the entry state is remembered in a
//! ghost slot `inᵢ`, so that exit states say how they depend on the entry. The
//! frame F is untouched, for separation (CAV'06 §1; frames as in POPL'09). That
//! the call returns at all is the business of the ranking: the call itself is a
//! step to the entry state.

use super::Semantics;
use heap::reach::{holds_heap, holds_heap_at_the_end, reached, target_inside, target_of};
use heap::state::{Junk, Kind, State, Store};
use heap::{Atom, Region};
use ir::{MemoryKind, ProcedureId, ScalarType, Variable};
use logic::{LinearExpr, Var};
use std::collections::BTreeSet;

/// A call about to be made, split into what the callee sees and the frame.
pub struct CallSplit {
    /// The entry state, not abstracted.
    pub entry: State,
    /// The caller's state without what the callee sees.
    pub frame: State,
    /// The frame depth of the stack memory that the callee sees.
    depth: u32,
}

impl Semantics<'_> {
    /// The slot in which a procedure's result is kept where it has returned.
    #[must_use]
    pub fn result_slot(&self, procedure: ProcedureId) -> Variable {
        let is_pointer = self.program.procedure(procedure).result == Some(ScalarType::Pointer);
        Variable::at(self.program.variables.len() + usize::from(!is_pointer))
    }

    /// The slot that remembers the value of an entry state's variable. No such
    /// slot is in a real state: it keeps no block from being lost.
    #[must_use]
    pub fn ghost(&self, variable: Var) -> Variable {
        Variable::at(self.program.variables.len() + 2 + 2 * variable.index())
    }

    /// The slot of an address that callers hold on to during the call.
    fn shared(&self, position: usize) -> Variable {
        Variable::at(self.program.variables.len() + 3 + 2 * position)
    }

    /// Which variable of the entry state a slot remembers.
    fn remembered(&self, slot: Variable) -> Option<usize> {
        let position = slot.index().checked_sub(self.program.variables.len() + 2)?;
        position.is_multiple_of(2).then_some(position / 2)
    }

    /// The addresses that program variables point from, those of callers and
    /// results included.
    #[must_use]
    pub fn held_addresses(&self, state: &State) -> BTreeSet<Var> {
        self.held_by(state, target_of)
    }

    /// The addresses that program variables hold by this reading of values.
    fn held_by(
        &self,
        state: &State,
        target: fn(&State, &LinearExpr) -> Option<Var>,
    ) -> BTreeSet<Var> {
        let stores = state.stores.iter().flatten();
        let real = stores.filter(|(variable, _)| {
            self.remembered(*variable).is_none() && !self.is_name_of_field(*variable)
        });
        real.filter_map(|(_, value)| target(state, value)).collect()
    }

    /// Whether a variable only names what a field of a global structure held when the function was
    /// called that is analysed by itself (`c::lower::open`): it holds nothing.
    fn is_name_of_field(&self, variable: Variable) -> bool {
        let info = self.program.variables.get(variable.index());
        self.program.open.is_some()
            && info.is_some_and(|info| info.owner.is_none() && info.name.contains('.'))
    }

    /// Whether no heap block is lost where the program is over: what points behind the end of a
    /// block does not hold it.
    #[must_use]
    pub fn holds_all_at_the_end(&self, state: &State) -> bool {
        state.junk == Junk::None
            && (!state.heap.atoms.iter().any(Atom::is_heap)
                || holds_heap_at_the_end(state, self.held_by(state, target_inside)))
    }

    /// Whether no heap block of the state is lost: each is still pointed at.
    #[must_use]
    pub fn holds_all(&self, state: &State) -> bool {
        state.junk == Junk::None
            && (!state.heap.atoms.iter().any(Atom::is_heap)
                || holds_heap(state, self.held_addresses(state)))
    }

    /// The type of a program variable or slot. Addresses in ghost slots keep
    /// their structure; a number there is a number.
    #[must_use]
    pub fn type_of(&self, variable: Variable) -> ScalarType {
        let n_variables = self.program.variables.len();
        match self.program.variables.get(variable.index()) {
            Some(info) => info.ty,
            None if variable.index() == n_variables => ScalarType::Pointer,
            None => ScalarType::Int(ir::IntKind { bits: 64, signed: true }),
        }
    }

    fn is_slot(&self, variable: Variable) -> bool {
        variable.index() >= self.program.variables.len()
    }

    /// The entry state as the body starts with it: every variable is remembered, but for those that
    /// have the same value at each entry, such as the bytes of literals.
    #[must_use]
    pub fn with_ghosts(&self, mut state: State) -> State {
        let constants: BTreeSet<Var> = state.facts.numbers.constants().collect();
        for index in 0..state.vocabulary.len() {
            let variable = Var::at(index);
            let is_summary = state.vocabulary.kind(variable) == Kind::Summary;
            if is_summary || constants.contains(&variable) {
                continue;
            }
            state.set_in(0, self.ghost(variable), variable.into());
        }
        state
    }

    /// Splits a caller's state for a call with these parameters. `None` when the
    /// callee would see stack memory of different frames.
    #[must_use]
    pub fn split_call(&self, state: &State, parameters: Store) -> Option<CallSplit> {
        let globals: Store = state.stores[0]
            .iter()
            .filter(|(variable, _)| !self.is_slot(*variable))
            .cloned()
            .collect();
        let mut roots: BTreeSet<Var> = BTreeSet::new();
        globals.iter().chain(&parameters).for_each(|(_, value)| roots.extend(value.variables()));
        let is_local = reached(state, roots);
        let mut entry = state.clone();
        let mut frame = state.clone();
        entry.heap.atoms.clear();
        frame.heap.atoms.clear();
        for (atom, is_local) in state.heap.atoms.iter().zip(&is_local) {
            let side = if *is_local { &mut entry } else { &mut frame };
            side.heap.atoms.push(atom.clone());
        }
        let depth = move_to_frame(&mut entry, None, 0)?;
        entry.stores.clear();
        entry.stores.push(globals);
        entry.stores.push(parameters);
        entry.junk = Junk::None;
        self.remember_shared(&mut entry, &frame);
        Some(CallSplit { entry, frame, depth })
    }

    /// Keeps the addresses of the callee's memory that the frame mentions from
    /// being folded away.
    fn remember_shared(&self, entry: &mut State, frame: &State) {
        let mut mentioned: BTreeSet<Var> = BTreeSet::new();
        frame.for_each_expr(&mut |expr| mentioned.extend(expr.variables()));
        let mut held = self.held_addresses(frame);
        frame.heap.atoms.iter().for_each(|atom| held.extend(atom.targets(frame)));
        let mut owned: BTreeSet<Var> = BTreeSet::new();
        for atom in &entry.heap.atoms {
            owned.extend(atom.own_addresses(entry));
        }
        let (shared, other): (Vec<Var>, Vec<Var>) =
            owned.intersection(&mentioned).partition(|variable| held.contains(variable));
        for (position, variable) in shared.into_iter().enumerate() {
            entry.set_in(0, self.shared(position), variable.into());
        }
        for (index, variable) in other.into_iter().enumerate() {
            entry.set_in(0, self.ghost(Var::at(index)), variable.into());
        }
    }

    /// The caller's state after the call, if the procedure, entered in `entry`
    /// with variables bound so, has left in `exit`. `None` when that cannot be.
    #[must_use]
    pub fn resume(
        &self,
        split: &CallSplit,
        binding: &[LinearExpr],
        exit: &State,
        result: Variable,
    ) -> Option<(State, Option<LinearExpr>)> {
        let mut after = split.frame.clone();
        // The globals are as the callee leaves them.
        after.stores[0].retain(|(variable, _)| self.is_slot(*variable));
        let n_known = after.vocabulary.len();
        let renamed: Vec<LinearExpr> = (0..exit.vocabulary.len())
            .map(|index| after.fresh(exit.vocabulary.kind(Var::at(index))).into())
            .collect();
        let image = |v: Var| renamed[v.index()].clone();
        let mut left = exit.clone();
        left.update_exprs(&mut |expr| *expr = expr.map(image));
        for atom in &mut left.heap.atoms {
            if let Atom::Block(block) = atom {
                block.base = renamed[block.base.index()].as_var()?;
            }
        }
        move_to_frame(&mut left, Some(0), split.depth)?;
        after.heap.atoms.extend(left.heap.atoms);
        after.facts.nonzero.extend(left.facts.nonzero);
        after.facts.products.extend(left.facts.products);
        after.facts.numbers.assume_all(exit.facts.numbers.map(image).constraints().iter().cloned());
        after.junk = after.junk.max(left.junk);
        let slots = left.stores.swap_remove(0);
        let mut value = None;
        let mut remembered = Vec::new();
        for (variable, known) in slots {
            if variable == result {
                value = Some(known);
            } else if self.is_slot(variable) {
                remembered.extend(self.remembered(variable).map(|index| (index, known)));
            } else {
                after.set_in(0, variable, known);
            }
        }
        // Equations may rename what they mention, so all of them are kept in
        // the state until each has been made.
        let first = self.shared(n_known + exit.vocabulary.len()).index();
        for (offset, (index, known)) in remembered.into_iter().enumerate() {
            let Some(bound) = binding.get(index) else { continue };
            if bound.variables().all(|v| v.index() < n_known) {
                after.set_in(0, Variable::at(first + offset), known.sub(bound));
            }
        }
        let pending: Vec<Variable> =
            after.stores[0].iter().map(|(v, _)| *v).filter(|v| v.index() >= first).collect();
        if let Some(value) = value {
            after.set_in(0, result, value);
        }
        for variable in pending {
            let difference = after.value_in(0, variable)?.clone();
            if after.assume_zero(&constant_parts(&after, &difference)).is_empty() {
                return None;
            }
        }
        let value = after.value_in(0, result).cloned();
        after.stores[0].retain(|(v, _)| v.index() < first && *v != result);
        if after.settle().is_empty() { None } else { Some((after, value)) }
    }
}

/// The value with those numbers replaced that are known to be constant.
fn constant_parts(state: &State, value: &LinearExpr) -> LinearExpr {
    if state.kind_of(value) == Kind::Integer {
        return value.clone();
    }
    value.map(|variable| match state.vocabulary.kind(variable) {
        Kind::Integer => match state.facts.numbers.implied_constant(variable) {
            Some(constant) => LinearExpr::constant(constant),
            None => variable.into(),
        },
        Kind::Address | Kind::Unknown | Kind::Foreign | Kind::Summary => variable.into(),
    })
}

/// Moves the stack memory of one frame to another. Returns the depth it was at
/// (0 if there is none), or `None` if there is memory of several frames. With
/// `from` given, memory of other frames stays.
fn move_to_frame(state: &mut State, from: Option<u32>, to: u32) -> Option<u32> {
    let mut found = None;
    for atom in &mut state.heap.atoms {
        let region: &mut Region = match atom {
            Atom::Block(block) => &mut block.region,
            Atom::Instance(instance) => &mut instance.template.region,
        };
        if !matches!(region.kind, MemoryKind::Stack | MemoryKind::Alloca) {
            continue;
        }
        match (from, found) {
            (Some(from), _) if from != region.frame => continue,
            (None, Some(known)) if known != region.frame => return None,
            _ => {}
        }
        found = Some(region.frame);
        region.frame = to;
    }
    Some(found.unwrap_or(0))
}
