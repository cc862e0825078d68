//! Endless runs that nothing leads out of: the evidence, and its check.
//!
//! A [`Trap`] says for places of the program which states are looked at there: a *box*, what
//! each variable and each cell of memory may hold. From the state after the stem, which is in
//! a box, every step leads from a box into a box, and no step ends the run, fails, or is not
//! modelled. Thus the run can go on for ever, whatever way it takes.
//!
//! ```text
//! the state is in B(p)      for each place p and each step from it: B(p) step ⊆ B(p')
//! -------------------------------------------------------------------------------
//!                            the run does not end
//! ```
//!
//! What is read may be anything, or one number that is listed for its place. An assumption
//! has to hold, or to speak of a choice that nothing depends on so far: then that is made so
//! that the assumption holds.
//!
//! Addresses are those of the state after the stem: its blocks stay as they are. A block that
//! a round makes is gone before the same place makes another one.
//!
//! * `strided`: sets of numbers; `memory`: what blocks hold; `boxes`: sets of states;
//! * `eval`: expressions and conditions; `step`: commands.

mod boxes;
mod eval;
mod memory;
mod step;
mod strided;

pub use self::boxes::Box;
pub use self::memory::Possible;
pub use self::step::Ground;

use concrete::state::{Location, State};
use ir::{Program, Variable};
use std::collections::BTreeMap;

/// Why a set of states is not followed any further: a run from it may end, or fail, or
/// nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escape(pub &'static str);

/// Where a call returns to, and who gets its result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Return {
    /// The place behind the call.
    pub location: Location,
    /// The caller's variable.
    pub target: Option<Variable>,
}

/// A place of a run, with the calls that began since the start, the outermost first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The calls.
    pub calls: Vec<Return>,
    /// The place in the innermost one.
    pub location: Location,
}

/// Where a block is made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// The calls.
    pub calls: Vec<Return>,
    /// The command.
    pub location: Location,
}

/// Which states there are at places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// The boxes.
    pub boxes: BTreeMap<Place, Box>,
    /// Where blocks are made, in the order of their names.
    pub sites: Vec<Site>,
    /// What is chosen at some places.
    pub chosen: BTreeMap<Location, i128>,
}

/// The place where a state is, and the box that has just this state.
///
/// # Errors
/// When there is too much in it.
pub fn start(program: &Program, state: &State) -> Result<(Place, Box), Escape> {
    let location = state.location().ok_or(Escape("the program has ended"))?;
    Ok((Place { calls: Vec::new(), location }, Box::of(program, state)?))
}

/// Shows that the run from a state stays in the trap.
///
/// # Errors
/// Where it may leave it.
pub fn check(program: &Program, state: &State, trap: &Trap) -> Result<(), Escape> {
    let (place, first) = start(program, state)?;
    let mut ground = Ground {
        program,
        base: place.location.procedure,
        n_blocks: state.memory().n_blocks(),
        sites: trap.sites.clone(),
        chosen: &trap.chosen,
    };
    let leads_in =
        |place: &Place, states: &Box| trap.boxes.get(place).is_some_and(|it| states.is_within(it));
    if !leads_in(&place, &first) {
        return Err(Escape("it begins elsewhere"));
    }
    for (place, states) in &trap.boxes {
        let next = ground.successors(place, states.clone())?;
        if !next.iter().all(|(place, states)| leads_in(place, states)) {
            return Err(Escape("a step leads out of it"));
        }
    }
    if ground.sites == trap.sites { Ok(()) } else { Err(Escape("a block is made elsewhere")) }
}
