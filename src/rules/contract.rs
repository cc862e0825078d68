//! Preconditions: what holds when the function is called that is analysed by
//! itself.
//!
//! ```text
//!   P is a precondition of f    P's parameters and globals have the values of Q
//!   ─────────────────────────────────────────────────────────────────────────── REQUIRES
//!   f(ā), called in Q by the program's entry, begins in Q * P
//! ```

use evidence::place::Place;
use heap::Atom;
use heap::state::{State, Store};
use ir::{ProcedureId, Program};
use logic::Var;

/// What the calls of a procedure by the program's entry can rely on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The procedure.
    pub procedure: ProcedureId,
    /// One of these holds: values of globals (store 0) and of parameters (store
    /// 1), and memory that exists besides what the entry has made.
    pub requires: Vec<State>,
    /// How the variables of the preconditions are called in the states.
    pub naming: Naming,
}

/// How a precondition's variables are called where it is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// By new names.
    Fresh,
    /// As in the precondition: the first variables of every state are kept for
    /// that, so that a search sees what becomes of them.
    Kept,
}

impl Contract {
    /// Whether a call from this place can rely on the contract.
    #[must_use]
    pub fn is_for(&self, program: &Program, place: &Place, callee: ProcedureId) -> bool {
        let is_entry = place.entry.is_none() && place.sites.len() == 1;
        callee == self.procedure
            && is_entry
            && place.site().is_some_and(|site| site.procedure == program.entry)
    }

    /// Rule REQUIRES: the states in which a call begins, by precondition.
    #[must_use]
    pub fn begin(&self, state: &State, parameters: &Store) -> Vec<(State, Store)> {
        let begin = |required: &State| {
            let mut state = state.clone();
            state.stores.push(parameters.clone());
            let mut state = conjoin(state, required, self.naming)?;
            let parameters = state.stores.pop()?;
            Some((state, parameters))
        };
        self.requires.iter().filter_map(begin).collect()
    }
}

/// `Q * P`; `None` when they contradict each other. The innermost frame of `Q` is
/// frame 1 of `P`.
fn conjoin(mut state: State, required: &State, naming: Naming) -> Option<State> {
    let names: Vec<Var> = match naming {
        Naming::Fresh => {
            let kinds =
                (0..required.vocabulary.len()).map(|i| required.vocabulary.kind(Var::at(i)));
            kinds.map(|kind| state.fresh(kind)).collect()
        }
        Naming::Kept => (0..required.vocabulary.len()).map(Var::at).collect(),
    };
    let rename = |variable: Var| names[variable.index()].into();
    let mut added = required.clone();
    added.update_exprs(&mut |expr| *expr = expr.map(rename));
    for atom in &mut added.heap.atoms {
        if let Atom::Block(block) = atom {
            block.base = names[block.base.index()];
        }
    }
    state.heap.atoms.append(&mut added.heap.atoms);
    state.facts.nonzero.append(&mut added.facts.nonzero);
    state.facts.products.append(&mut added.facts.products);
    let numbers = required.facts.numbers.map(rename);
    state.facts.numbers.assume_all(numbers.constraints().iter().cloned());
    state.junk = state.junk.max(required.junk);
    equate(&mut state, added.stores)?;
    (!state.settle().is_empty()).then_some(state)
}

/// Makes the values of globals and parameters equal to those in the stores.
fn equate(state: &mut State, wanted: Vec<Store>) -> Option<()> {
    let innermost = state.stores.len() - 1;
    let first = state.stores.len();
    // Equations may rename what others mention, so all stay in the state until
    // each has been made.
    state.stores.extend(wanted);
    for (store, target) in [(first, 0), (first + 1, innermost)] {
        for index in 0..state.stores.get(store).map_or(0, Vec::len) {
            let (variable, value) = state.stores[store][index].clone();
            match state.value_in(target, variable).cloned() {
                Some(known) => {
                    if state.assume_zero(&known.sub(&value)).is_empty() {
                        return None;
                    }
                }
                None => state.set_in(target, variable, value),
            }
        }
    }
    state.stores.truncate(first);
    Some(())
}
