//! How an argument goes about a program: what the rules of execution leave open for the whole of
//! it. What of this could make an argument wrong the check looks at; all else only says where
//! states are told apart, and what things are called.

use super::condition::Condition;
use heap::state::State;
use ir::ProcedureId;
use ir::cutpoint::CutSet;
use ir::links::Names;
use ir::slice::bounds::Need;
use ir::slice::numbers::Numbers;
use ir::slice::relevance::{Irrelevant, Memory};

/// How an argument goes about the program of an obligation.
#[derive(Clone, Debug, Default)]
pub struct Approach {
    /// Which form of the program it is about.
    pub form: Form,
    /// What is left out of that.
    pub left_out: Option<Irrelevant>,
    /// The cutpoints and block order of each procedure, by procedure.
    pub cuts: Vec<CutSet>,
    /// Which procedures are analysed by their entry states, by procedure.
    pub tabulated: Vec<bool>,
    /// Conditions by which the states at cutpoints are divided.
    pub conditions: Vec<Condition>,
    /// What new blocks are called.
    pub names: Names,
}

/// A form of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As it was written.
    #[default]
    Written,
    /// Simplified: it has the same runs.
    Simplified,
    /// The simplified one with nothing said of memory, simplified again: it has all runs that
    /// are defined, or the endless ones of them where calls are not followed.
    Numbers(Numbers),
    /// The simplified one with pointers that know their bounds, simplified again: where it does
    /// nothing that is not known to be right, no call does that keeps to types, and to this.
    Bounds(Vec<Need>),
}

impl Approach {
    /// Whether calls of the procedure go to its entry states, and are not followed.
    #[must_use]
    pub fn is_tabulated(&self, procedure: ProcedureId) -> bool {
        self.tabulated.get(procedure.index()).copied().unwrap_or(false)
    }

    /// Which numbers in memory are forgotten at once.
    #[must_use]
    pub fn ignored(&self) -> &Memory {
        self.left_out.as_ref().map_or(&Memory::Nothing, |it| &it.memory)
    }

    /// A state by cases of the conditions that are told apart.
    #[must_use]
    pub fn parts(&self, state: State) -> Vec<State> {
        let divided = |states: Vec<State>, condition: &Condition| {
            states.into_iter().flat_map(|state| condition.parts(state)).collect()
        };
        self.conditions.iter().fold(vec![state], divided)
    }
}
