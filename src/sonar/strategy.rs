//! What the search for states reads, and no rule of execution does: a bad choice here costs an
//! answer, never its truth.

use super::partitioning::conditions::Sum;
use super::partitioning::control::Control;
use super::plan::{Plan, plans};
use super::thresholds::Thresholds;
use entail::fold::RowEnds;
use evidence::place::{Place, Site};
use heap::fold_precision::FoldPrecision;
use heap::shape::ShapeLibrary;
use ir::freeing::{Freeing, Loops};
use ir::indices::Indices;
use ir::links::Links;
use ir::{Command, Program, Variable};
use obligation::Fairness;
use std::cell::Cell;

/// Joins before widening starts.
pub(super) const WIDENING_DELAY: u32 = 2;

/// How states are looked for.
pub struct Strategy {
    /// The variables that addresses are computed with.
    pub(super) indices: Indices,
    /// Which fields link nodes.
    pub links: Links,
    /// Where widening stops.
    pub(super) thresholds: Thresholds,
    /// Which shapes folding tries.
    pub plan: Plan,
    /// What the control variables say by which states are told apart, if they are.
    pub(super) control: Option<Control>,
    /// Variables in which joined states agree.
    pub(super) apart: Vec<Variable>,
    /// Whose bounds joins keep.
    pub(super) sums: Vec<Sum>,
    /// Joins before widening starts.
    pub(super) widening_delay: u32,
    /// What folding must not lose while few states are known.
    pub(super) finest: FoldPrecision,
    /// Whether the program makes blocks larger.
    pub(super) resizes: bool,
    /// The loops that free what arrays own.
    pub(super) freeing: Freeing,
    /// In which of them null pointers at the ends of arrays are done with.
    pub(super) emptying: Loops,
    /// What becomes of paths where they meet.
    pub(super) paths: Paths,
    /// How hard a measure is looked for.
    pub effort: Effort,
    /// Whether there was anything yet that the plan has a say in.
    pub(super) has_folded: Cell<bool>,
}

/// How hard a measure is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// By all means.
    Much,
    /// Only where no loop seems to be there in which nothing changes.
    Little,
    /// So, and only one tuple for all of a loop's states: what takes longest is left to others.
    Least,
}

/// What becomes of paths where they meet between cutpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paths {
    /// Only few stay apart, in long stretches of branches fewer still.
    Joined,
    /// More stay apart, however long the stretch is.
    Apart,
}

impl Strategy {
    /// The usual one, by the first of the program's plans. States of automata stay apart.
    pub(super) fn of(program: &Program, library: &ShapeLibrary, fairness: &Fairness) -> Self {
        let links = Links::of_program(program);
        let plan = plans(library, &links).swap_remove(0);
        Self {
            indices: Indices::of(program),
            links,
            thresholds: Thresholds::of_program(program),
            plan,
            control: None,
            apart: fairness.control.clone(),
            sums: Vec::new(),
            widening_delay: WIDENING_DELAY,
            finest: FoldPrecision::KeepValues,
            resizes: program.commands().any(|it| matches!(it, Command::Measure { .. })),
            emptying: Loops::Emptying,
            freeing: if program.frees() { Freeing::of(program) } else { Freeing::default() },
            paths: Paths::Joined,
            effort: Effort::Much,
            has_folded: Cell::new(false),
        }
    }

    /// What becomes of null pointers at the ends of rows where states are folded at a place: in a
    /// loop that frees what they own, they are done with as those to what it freed.
    pub(super) fn ends_at(&self, place: &Place) -> RowEnds {
        let is_among = |it: Site| self.freeing.contains(self.emptying, (it.procedure, it.block));
        match place.site().is_some_and(is_among) {
            true => RowEnds::Leave,
            false => RowEnds::Stay,
        }
    }
}
