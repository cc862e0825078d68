//! Execution where nothing is said of memory, and addresses are numbers
//! ([`ir::slice::addresses`](ir::slice::addresses)).

use super::arbitrary::{any_between, any_in_range, any_of_type};
use super::eval::Context;
use evidence::alarm::AlarmKind;
use heap::state::{Kind, State};
use ir::{Command, Expr, IntKind, MemoryKind, ScalarType, Variable};
use logic::{Integer, LinearExpr};

impl Context<'_> {
    /// ```text
    ///   {Q} x := [E] {∃x'. (Q & 0 < E & E < m)[x'/x]}   m where memory ends     READ
    ///   {Q} [E] := F {Q & 0 < E & E < m}                                       WRITE
    ///   {Q} x := new(E) {∃x'. (Q & 0 ≤ E)[x'/x] & 0 < x & x < m}               NEW
    ///   {Q} dispose(E) {Q}                                                     DISPOSE
    /// ```
    ///
    /// The states after a [command on memory](Command::is_about_memory); others change nothing
    /// here. Of each access it is noted that it is taken to be defined.
    pub(super) fn execute_on_numbers(&mut self, state: State, command: &Command) -> Vec<State> {
        match command {
            Command::Load { target, address, ty } => {
                let states = self.at_valid(state, address);
                self.read_anything(states, *target, *ty)
            }
            Command::Store { address, .. } => self.at_valid(state, address),
            Command::Allocate { target, size, .. } => self.new_number(state, *target, size),
            Command::Measure { target, .. } => {
                self.undefined(AlarmKind::InvalidFree);
                let ty = self.machine.type_of(*target);
                self.read_anything(vec![state], *target, ty)
            }
            Command::Free { kind, .. } => {
                if let MemoryKind::Heap | MemoryKind::Stream | MemoryKind::Any = kind {
                    self.undefined(AlarmKind::InvalidFree);
                }
                vec![state]
            }
            Command::Fill { .. } | Command::Copy { .. } => {
                self.undefined(AlarmKind::WildDereference);
                vec![state]
            }
            Command::Assign { .. }
            | Command::Havoc { .. }
            | Command::Assume { .. }
            | Command::Call { .. }
            | Command::Error { .. }
            | Command::Unsupported { .. } => vec![state],
        }
    }

    /// The states in which an access is at a valid address.
    fn at_valid(&mut self, state: State, address: &Expr) -> Vec<State> {
        self.undefined(AlarmKind::WildDereference);
        if let Expr::Constant(_) = address {
            return vec![state];
        }
        let values = self.values(state, address).into_iter();
        let end = self.end_of_memory();
        let valid = values.filter_map(|(mut state, value)| {
            if state.kind_of(&value) != Kind::Integer {
                return Some(state);
            }
            let below = LinearExpr::constant(1).sub(&value);
            let above = value.add_constant(-&end);
            let is_empty = [below, above].iter().any(|it| state.assume_at_most_zero(it).is_empty());
            (!is_empty).then_some(state)
        });
        valid.collect()
    }

    /// The last address at which something may be. Objects lie in the lower half of an address
    /// space of 64 bits.
    fn end_of_memory(&self) -> Integer {
        match self.machine.program.pointer_bytes {
            8.. => Integer::from((1_i128 << 63) - 1),
            bytes => Integer::from((1_i128 << (8 * bytes)) - 1),
        }
    }

    fn new_number(&mut self, state: State, target: Variable, size: &Expr) -> Vec<State> {
        let mut after = Vec::new();
        for (mut state, size) in self.values(state, size) {
            if !state.surely_at_most_zero(&size.neg()) {
                self.undefined(AlarmKind::NegativeAllocation);
                if state.assume_at_most_zero(&size.neg()).is_empty() {
                    continue;
                }
            }
            let base = any_between(&mut state, 1, self.end_of_memory());
            self.write(&mut state, target, base.into());
            after.push(state);
        }
        after
    }

    /// What is read of memory of which nothing is known: any value, of a truth value any byte.
    pub(super) fn read_anything(
        &mut self,
        mut states: Vec<State>,
        target: Variable,
        ty: ScalarType,
    ) -> Vec<State> {
        for state in &mut states {
            let value = match ty {
                ScalarType::Int(IntKind { bits: 1, .. }) => any_between(state, 0, 255).into(),
                ScalarType::Int(kind) => any_in_range(state, kind),
                ScalarType::Pointer | ScalarType::Float(_) => any_of_type(state, ty),
            };
            self.write(state, target, value);
        }
        states
    }
}
