//! SONAR: the shape analysis that finds what may be at each cutpoint
//! (CAV'06 §3).
//!
//! * [`plan`]: which shapes are tried together.
//! * [`contract`]: what a function that is analysed by itself can rely on.
//! * [`eval`]: expressions to linear expressions over logical variables; `address`:
//!   what is known of the numbers of addresses in them.
//! * [`rearrange`]: §3 "Rearrangement": the cell that a command touches.
//! * [`execute`]: §3 "Symbolic Execution": one rule a command.
//! * [`abstraction`]: §3 "Abstraction for Fixed-Point Computations".
//! * [`explore`]: Fig. 4, the transition relation, from cutpoint to cutpoint.
//! * [`departure`]: where execution goes on from a state at a cutpoint.
//! * [`guide`]: who decides what the rules of execution leave open.
//! * [`searching`]: how the analysis decides it.
//! * `merge`: paths that meet between cutpoints.
//! * [`fixpoint`]: the reachable states `Y := SONAR*[{I}]` of Fig. 2.
//! * `control`: variables that say where a state machine is, and what is dead there.
//! * `flags`, `parting`: variables and conditions by which states may be told apart.
//! * `numbers`: execution where nothing is said of memory.
//! * `inputs`: whether ranges of inputs may matter.
//! * `stable`: simple bounds that widening keeps.
//! * [`thresholds`]: where widening stops.
//! * [`transitions`]: §2 "Seeding": the relations between them.
//!
//! Calls are followed into the callee with the whole state; those of recursive
//! procedures are tabulated ([`summary`]).

pub mod abstraction;
mod address;
mod bits;
mod constants;
pub mod contract;
mod control;
mod copying;
pub mod departure;
pub mod eval;
pub mod execute;
pub mod explore;
pub mod fixpoint;
mod flags;
pub mod guide;
mod inputs;
#[cfg(test)]
mod laws;
pub mod memory;
mod merge;
mod overwritten;
mod numbers;
mod parting;
pub mod plan;
pub mod passing;
mod product;
mod quotient;
pub mod rearrange;
mod rows;
pub mod searching;
mod stable;
mod strings;
pub mod summary;
mod tabulated;
pub mod thresholds;
pub mod transitions;
mod unread;

use crate::base::source::Span;
use crate::evidence::place::Place;
use crate::heap::care::Care;
use crate::heap::shape::ShapeLibrary;
use crate::heap::state::State;
use crate::ir::cutpoint::{CallGraph, CutSet};
use crate::ir::incoming::{coming_in, made_here};
use crate::ir::indices::Indices;
use crate::ir::links::Links;
use crate::ir::liveness::Liveness;
use crate::ir::semantics::Definedness;
use crate::ir::slice::relevance::Memory;
use crate::ir::{Procedure, ProcedureId, Program, Variable};
use crate::logic::LinearExpr;
use crate::obligation::{ErrorKind, Fairness, Goal, Inputs};
use contract::Contract;
use plan::Plan;
use std::cell::Cell;
use std::collections::BTreeSet;
use thresholds::Thresholds;

/// Joins before widening starts.
const WIDENING_DELAY: u32 = 2;

/// What the analysis reads: the program, its cutpoints, the shapes.
pub struct Machine<'a> {
    /// The program.
    pub program: &'a Program,
    /// The shapes that may be used.
    pub shape_library: &'a ShapeLibrary,
    /// The cutpoints and block order of each procedure, by procedure.
    pub cuts: Vec<CutSet>,
    /// Where addresses of functions may have come in.
    pub coming_in: BTreeSet<Variable>,
    /// Pointers to memory that the program itself allocates.
    pub made_here: BTreeSet<Variable>,
    /// The live variables of each procedure.
    pub live: Liveness,
    /// The variables that addresses are computed with.
    indices: Indices,
    /// Which procedures are analysed by their entry states, by procedure.
    tabulated: Vec<bool>,
    /// Which fields link nodes.
    pub links: Links,
    /// Where widening stops.
    pub thresholds: Thresholds,
    /// Which shapes folding tries.
    pub plan: Plan,
    /// What is to be shown. Dead variables count for leaks.
    pub goal: Goal,
    /// Which runs count.
    pub fairness: Fairness,
    /// What is known of what the program reads.
    pub inputs: Inputs,
    /// What becomes of runs that do something undefined.
    pub definedness: Definedness,
    /// What the control variables say by which states are told apart, if they are.
    control: Option<control::Control>,
    /// Variables in which joined states agree.
    apart: Vec<Variable>,
    /// Conditions in which they agree, and on which states are divided at the heads of loops.
    parting: Vec<parting::Condition>,
    /// Whose bounds joins keep.
    sums: Vec<parting::Sum>,
    /// Joins before widening starts.
    widening_delay: u32,
    /// What folding must not lose while few states are known.
    finest: Care,
    /// What becomes of paths where they meet.
    paths: Paths,
    /// How hard a measure is looked for.
    pub patience: Patience,
    /// Whether there was anything yet that the plan has a say in.
    has_folded: Cell<bool>,
    /// What the entry's call can rely on.
    pub contract: Option<Contract>,
    /// Which numbers in memory are forgotten at once.
    ignored: Memory,
}

/// How hard a measure is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// By all means.
    Much,
    /// Only where no loop seems to be there in which nothing changes.
    Little,
}

/// What becomes of paths where they meet between cutpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Paths {
    /// Only few stay apart, in long stretches of branches fewer still.
    Joined,
    /// More stay apart, however long the stretch is.
    Apart,
}

/// What becomes of a *dead* variable: one that will not be read any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeadVariables {
    /// Its value is forgotten.
    Forgotten,
    /// Its value is forgotten, unless the variable is in scope until its call ends and
    /// some memory is in reach of no other variable. That memory is not lost before.
    KeptIfOwning,
}

impl<'a> Machine<'a> {
    /// Prepares a program for analysis, by the first of its [plans](plan). The goal is
    /// that every run ends.
    #[must_use]
    pub fn new(program: &'a Program, library: &'a ShapeLibrary) -> Self {
        let cuts = program.procedures.iter().map(CutSet::with_few_paths).collect();
        let links = Links::of_program(program);
        let plan = plan::plans(library, &links).swap_remove(0);
        Self {
            program,
            shape_library: library,
            cuts,
            coming_in: coming_in(program),
            made_here: made_here(program),
            indices: Indices::of(program),
            live: Liveness::of_program(program),
            tabulated: tabulated::tabulated(program, &CallGraph::of_program(program)),
            links,
            thresholds: Thresholds::of_program(program),
            plan,
            goal: Goal::Ends,
            fairness: Fairness::default(),
            inputs: Inputs::Any,
            definedness: Definedness::Shown,
            control: None,
            apart: Vec::new(),
            parting: Vec::new(),
            sums: Vec::new(),
            widening_delay: WIDENING_DELAY,
            finest: Care::KeepValues,
            paths: Paths::Joined,
            patience: Patience::Much,
            has_folded: Cell::new(false),
            contract: None,
            ignored: Memory::Nothing,
        }
    }

    /// The same, with a part of memory of which nothing is known.
    #[must_use]
    pub fn ignoring(self, ignored: Memory) -> Self {
        Self { ignored, ..self }
    }

    /// The same, with a precondition.
    #[must_use]
    pub fn with_contract(self, contract: Option<Contract>) -> Self {
        match contract {
            Some(_) => Self { contract, links: self.links.without_sorts(), ..self },
            None => Self { contract, ..self },
        }
    }

    /// The same, with all calls tabulated that can be: tests hold both ways to follow calls
    /// against runs.
    #[must_use]
    pub fn with_calls_tabulated(self) -> Self {
        let tabulated = tabulated::all(self.program);
        Self { tabulated, ..self }
    }

    /// The same, with calls tabulated that lead through much: each procedure is analysed by
    /// itself, whoever calls it.
    #[must_use]
    pub fn with_long_calls_tabulated(self) -> Self {
        let tabulated = tabulated::by_size(self.program);
        Self { tabulated, ..self }
    }

    /// The same, of fair runs only: events are cutpoints, and calls that lead straight to them
    /// are followed.
    #[must_use]
    pub fn with_fairness(mut self, fairness: &Fairness) -> Self {
        self.fairness = fairness.clone();
        self.cut_at_heads();
        for procedure in tabulated::near(self.program, &|it| fairness.is_event(it)) {
            self.tabulated[procedure.index()] = false;
        }
        self.apart.clone_from(&fairness.control);
        self
    }

    /// The same, with measures looked for so hard.
    #[must_use]
    pub fn with_patience(self, patience: Patience) -> Self {
        Self { patience, ..self }
    }

    /// The same, with runs that do something undefined treated so.
    #[must_use]
    pub fn with_definedness(self, definedness: Definedness) -> Self {
        Self { definedness, ..self }
    }

    /// The same, with another goal.
    #[must_use]
    pub fn with_goal(self, goal: Goal) -> Self {
        Self { goal, ..self }
    }
}

impl Machine<'_> {
    /// All plans for the program.
    #[must_use]
    pub fn plans(&self) -> Vec<Plan> {
        plan::plans(self.shape_library, &self.links)
    }

    /// Links by which more sorts of blocks are told apart, if there are such.
    #[must_use]
    pub fn finer_links(&self) -> Option<Links> {
        if self.contract.is_some() { None } else { self.links.finer(self.program) }
    }

    /// Whether there were blocks that shapes may stand for: if not, all plans lead to the same
    /// states.
    #[must_use]
    pub fn has_folded(&self) -> bool {
        self.has_folded.get()
    }

    /// Whether calls of the procedure go to its entry states, and are not followed.
    #[must_use]
    pub fn is_tabulated(&self, procedure: ProcedureId) -> bool {
        self.tabulated[procedure.index()]
    }

    /// Tells states apart by the flags of the program and by what it assumes of two variables,
    /// too. Whether there is any of that.
    pub fn tell_cases_apart(&mut self) -> bool {
        let flags = flags::flags(self.program);
        self.parting = parting::conditions(self.program);
        self.sums = parting::sums(self.program);
        // What holds in one case only is found where the others have come in.
        self.widening_delay = 2 * WIDENING_DELAY;
        let has_limits = self.thresholds.limit_fields();
        let found = has_limits || !flags.is_empty() || !self.parting.is_empty();
        self.apart.extend(flags);
        found
    }

    /// Tells states apart by what control variables hold. Whether there are any.
    pub fn tell_stages_apart(&mut self) -> bool {
        self.control = control::Control::of(self);
        self.apart.extend(self.control.iter().flat_map(control::Control::variables));
        self.control.is_some()
    }

    /// Whether it may matter that what the program reads is in the range of its type.
    #[must_use]
    pub fn may_wrap_around(&self) -> bool {
        inputs::may_wrap_around(self.program)
    }

    /// Cuts loops at the start of their bodies until [`Self::cut_at_heads`], and lets paths stay
    /// apart as far as there. Returns whether that is somewhere else.
    pub fn cut_at_bodies(&mut self) -> bool {
        self.paths = Paths::Apart;
        let usual = std::mem::take(&mut self.cuts);
        self.cut(CutSet::at_bodies);
        self.cuts != usual
    }

    /// Cuts loops at their heads, as usual.
    pub fn cut_at_heads(&mut self) {
        self.paths = Paths::Joined;
        self.cut(CutSet::with_few_paths);
    }

    /// Cuts each procedure so, and where events begin.
    fn cut(&mut self, cut_set: impl Fn(&Procedure) -> CutSet) {
        self.cuts = self.program.procedures.iter().map(cut_set).collect();
        for (index, cuts) in self.cuts.iter_mut().enumerate() {
            if self.fairness.is_event(ProcedureId::at(index)) {
                cuts.add_start();
            }
        }
    }

    /// Keeps nodes that variables point at if bounds of what they hold would be lost, until
    /// [`Self::keep_values`]. This makes more states.
    pub fn keep_bounds(&mut self) {
        self.finest = Care::KeepBounds;
        self.thresholds.limit_fields();
    }

    /// Keeps nodes for exact values only, as usual.
    pub fn keep_values(&mut self) {
        self.finest = Care::KeepValues;
    }

    /// A state by cases of the conditions that are told apart.
    fn parts(&self, state: State) -> Vec<State> {
        let divided = |states: Vec<State>, condition: &parting::Condition| {
            states.into_iter().flat_map(|state| condition.parts(state)).collect()
        };
        self.parting.iter().fold(vec![state], divided)
    }

    /// The sums, beside the usual ones, whose bounds are kept where a state is joined.
    fn directions(&self, state: &State) -> Vec<LinearExpr> {
        self.sums.iter().flat_map(|sum| sum.directions(state)).collect()
    }

    /// Whether an automaton may be in different states, or the run came on ways that are told
    /// apart: what is said of both would be true of neither.
    fn are_apart(&self, left: &State, right: &State) -> bool {
        let known = |state: &State, store: usize, variable: &Variable| {
            let value = state.value_in(store, *variable)?;
            let implied = || state.facts.numbers.implied_constant(value.as_var()?);
            value.as_constant().cloned().or_else(implied)
        };
        let n_stores = left.stores.len().min(right.stores.len());
        let differs = |variable: &Variable| {
            (0..n_stores).any(|store| known(left, store, variable) != known(right, store, variable))
        };
        let is_parted = |it: &parting::Condition| it.is_known(left) != it.is_known(right);
        self.apart.iter().any(differs) || self.parting.iter().any(is_parted)
    }

    /// What becomes of dead variables.
    fn dead(&self) -> DeadVariables {
        if self.goal.avoids(ErrorKind::Leak) {
            DeadVariables::KeptIfOwning
        } else {
            DeadVariables::Forgotten
        }
    }

    /// Whether the procedure stands for any caller of a function that is analysed by
    /// itself.
    #[must_use]
    pub fn is_outside(&self, procedure: ProcedureId) -> bool {
        self.program.open.is_some() && procedure == self.program.entry
    }

    /// Where the block of a place stands in the source.
    #[must_use]
    pub fn span_of(&self, place: &Place) -> Span {
        let Some(site) = place.site() else { return Span::NOWHERE };
        self.program.procedure(site.procedure).block(site.block).span
    }
}
