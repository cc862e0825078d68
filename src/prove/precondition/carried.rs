//! Preconditions of a function in another reading of its text.

use heap::state::{State, Store};
use ir::{Program, Variable};
use std::collections::BTreeMap;

/// The preconditions with the variables of another reading of the same text, which has the same
/// globals and parameters in the same order. `None` where it has not.
#[must_use]
pub fn carried_over(states: &[State], from: &Program, to: &Program) -> Option<Vec<State>> {
    let images = images(from, to)?;
    let carried = |store: &Store| {
        let mut carried: Store = store
            .iter()
            .map(|(variable, value)| Some((*images.get(variable)?, value.clone())))
            .collect::<Option<_>>()?;
        carried.sort_by_key(|(variable, _)| *variable);
        Some(carried)
    };
    let in_other = |state: &State| {
        let stores = state.stores.iter().map(carried).collect::<Option<_>>()?;
        Some(State { stores, ..state.clone() })
    };
    states.iter().map(in_other).collect()
}

/// What the globals and parameters of one reading are in the other.
fn images(from: &Program, to: &Program) -> Option<BTreeMap<Variable, Variable>> {
    let [own, other] = [from, to].map(incoming);
    let (own, other) = (own?, other?);
    let look = |program: &Program, variable: &Variable| {
        let info = program.variable(*variable);
        (info.name.clone(), info.ty)
    };
    let is_same = own.len() == other.len()
        && own.iter().zip(&other).all(|(own, other)| look(from, own) == look(to, other));
    is_same.then(|| own.into_iter().zip(other).collect())
}

/// The globals of a program, and the parameters of the function that it is about.
fn incoming(program: &Program) -> Option<Vec<Variable>> {
    let open = program.open.as_ref()?;
    let all = (0..program.variables.len()).map(Variable::at);
    let globals = all.filter(|variable| program.variable(*variable).owner.is_none());
    Some(globals.chain(program.procedure(open.procedure).parameters.iter().copied()).collect())
}
