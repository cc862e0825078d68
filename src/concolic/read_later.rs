//! What a run still reads of its variables, such that something depends on it.

use concrete::state::{Location, State};
use ir::liveness::Liveness;
use ir::slice::relevance::{Aim, irrelevant};
use ir::{Program, Variable};

/// What runs of a program read later.
pub(super) struct ReadLater {
    liveness: Liveness,
    /// By variable: whether something depends on it.
    is_relevant: Vec<bool>,
}

impl ReadLater {
    pub(super) fn in_program(program: &Program) -> Self {
        let irrelevant = irrelevant(program, &Aim::default()).map(|it| it.variables);
        let irrelevant = irrelevant.unwrap_or_else(|| vec![false; program.variables.len()]);
        Self {
            liveness: Liveness::of_program(program),
            is_relevant: irrelevant.into_iter().map(|it| !it).collect(),
        }
    }

    /// Whether a run in this state may read a variable of the call with this index, or a global,
    /// such that something depends on it.
    pub(super) fn contains(&self, state: &State, frame: Option<usize>, variable: Variable) -> bool {
        let is_live = frame.and_then(|it| Some((it, state.frames().get(it)?))).is_none_or(
            |(index, frame)| {
                let Location { procedure, block, command } = frame.location();
                let liveness = self.liveness.of(procedure);
                let live = if index + 1 == state.frames().len() {
                    Some(liveness.at_start(block))
                } else {
                    command.checked_sub(1).and_then(|call| liveness.after_call(block, call))
                };
                live.is_none_or(|live| live.contains(variable))
            },
        );
        is_live && self.is_relevant[variable.index()]
    }
}
