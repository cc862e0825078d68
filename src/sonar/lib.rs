//! SONAR: the shape analysis that finds what may be at each cutpoint
//! (CAV'06 §3), by the [rules of execution](rules).
//!
//! * [`plan`]: which shapes are tried together.
//! * [`abstraction`]: §3 "Abstraction for Fixed-Point Computations".
//! * [`covering`]: which state describes another one.
//! * [`search_joins`]: how the analysis decides what the rules leave open.
//! * `strategy`: what the search reads beside what the rules do.
//! * `merge`: paths that meet between cutpoints.
//! * [`fixpoint`]: the reachable states `Y := SONAR*[{I}]` of Fig. 2.
//! * `partitioning`: variables and conditions by which states may be told apart.
//! * `heap_liveness`: pointers in memory that are not read any more.
//! * `inputs`: whether ranges of inputs may matter.
//! * `stable`: simple bounds that widening keeps.
//! * [`thresholds`]: where widening stops.
//! * [`transitions`]: §2 "Seeding": the relations between them.
//!
//! Calls are followed into the callee with the whole state; those of recursive
//! procedures are tabulated ([`rules::summary`]).

pub mod abstraction;
pub mod covering;
pub mod fixpoint;
mod inputs;
#[cfg(test)]
mod laws;
mod merge;
mod partitioning;
pub mod plan;
pub mod search_joins;
mod signs;
mod stable;
mod strategy;
mod tabulated;
pub mod thresholds;
pub mod transitions;
mod heap_liveness;

use evidence::approach::{Approach, Form};
use evidence::condition::Condition;
use evidence::statement::Statement;
use heap::fold_precision::FoldPrecision;
use heap::shape::ShapeLibrary;
use heap::state::State;
use ir::cutpoint::{CallGraph, CutSet};
use ir::freeing::Loops;
use ir::links::Links;
use ir::slice::relevance::Irrelevant;
use ir::{Procedure, ProcedureId, Program, Variable};
use logic::LinearExpr;
use obligation::Obligation;
use plan::Plan;
use rules::Semantics;
use simplify::simplify;
use std::ops::Deref;
pub use strategy::{Effort, Strategy};
use strategy::{Paths, WIDENING_DELAY};

/// What the analysis works with: what programs do, and how states are looked for.
pub struct Machine<'a> {
    /// What is to be shown.
    pub obligation: &'a Obligation<'a>,
    /// What the rules of execution read.
    pub semantics: Semantics<'a>,
    /// What the search reads beside that.
    pub strategy: Strategy,
}

impl<'a> Deref for Machine<'a> {
    type Target = Semantics<'a>;

    fn deref(&self) -> &Self::Target {
        &self.semantics
    }
}

impl<'a> Machine<'a> {
    /// Prepares the program of an obligation for analysis, as it was written, by the first of
    /// its [plans](plan).
    #[must_use]
    pub fn new(obligation: &'a Obligation<'a>, library: &'a ShapeLibrary) -> Self {
        Self::about(obligation, obligation.program(), (Form::Written, None), library)
    }

    /// The same of the program simplified.
    #[must_use]
    pub fn simplified(obligation: &'a Obligation<'a>, library: &'a ShapeLibrary) -> Self {
        Self::about(obligation, obligation.simplified(simplify), (Form::Simplified, None), library)
    }

    /// The same of a slice of some form of it: the program without what is left out.
    #[must_use]
    pub fn sliced(
        obligation: &'a Obligation<'a>,
        (slice, form, left_out): (&'a Program, Form, Irrelevant),
        library: &'a ShapeLibrary,
    ) -> Self {
        Self::about(obligation, slice, (form, Some(left_out)), library)
    }

    fn about(
        obligation: &'a Obligation<'a>,
        program: &'a Program,
        (form, left_out): (Form, Option<Irrelevant>),
        library: &'a ShapeLibrary,
    ) -> Self {
        let strategy = Strategy::of(program, library, &obligation.fairness);
        let names = strategy.links.names();
        let approach = Approach { form, left_out, names, ..Approach::default() };
        let statement = Statement::of(obligation);
        let semantics = Semantics::of(&statement, program, approach, library);
        let mut machine = Self { obligation, semantics, strategy };
        machine.cut_at_heads();
        machine.tabulate(tabulated::tabulated(program, &CallGraph::of_program(program)));
        machine
    }

    /// The same, with all calls tabulated that can be: tests hold both ways to follow calls
    /// against runs.
    #[must_use]
    pub fn with_calls_tabulated(mut self) -> Self {
        self.tabulate(tabulated::all(self.program));
        self
    }

    /// The same, with calls tabulated that lead through much: each procedure is analysed by
    /// itself, whoever calls it.
    #[must_use]
    pub fn with_long_calls_tabulated(mut self) -> Self {
        self.tabulate(tabulated::by_size(self.program));
        self
    }

    /// Calls that lead straight to events are followed in any case.
    fn tabulate(&mut self, mut tabulated: Vec<bool>) {
        let fairness = &self.semantics.fairness;
        if !fairness.requirements.is_empty() {
            for procedure in tabulated::near(self.program, &|it| fairness.is_event(it)) {
                tabulated[procedure.index()] = false;
            }
        }
        self.semantics.approach.tabulated = tabulated;
    }

    /// The same, with measures looked for so hard.
    #[must_use]
    pub fn with_effort(mut self, effort: Effort) -> Self {
        self.strategy.effort = effort;
        self
    }
}

impl Machine<'_> {
    /// All plans for the program.
    #[must_use]
    pub fn plans(&self) -> Vec<Plan> {
        plan::plans(self.shape_library, &self.strategy.links)
    }

    /// Links by which more sorts of blocks are told apart, if there are such.
    #[must_use]
    pub fn finer_links(&self) -> Option<Links> {
        if self.contract.is_some() { None } else { self.strategy.links.finer(self.program) }
    }

    /// Tells sorts of blocks apart by these links.
    pub fn set_links(&mut self, links: &Links) {
        self.semantics.approach.names = links.names();
        self.strategy.links.clone_from(links);
    }

    /// Whether there were blocks that shapes may stand for: if not, all plans lead to the same
    /// states.
    #[must_use]
    pub fn has_folded(&self) -> bool {
        self.strategy.has_folded.get()
    }

    /// Tells states apart by the flags of the program and by what it assumes of two variables,
    /// too. Whether there is any of that.
    pub fn tell_cases_apart(&mut self) -> bool {
        let flags = partitioning::flags::flags(self.program);
        self.semantics.approach.conditions = partitioning::conditions::conditions(self.program);
        let strategy = &mut self.strategy;
        strategy.sums = partitioning::conditions::sums(self.semantics.program);
        // What holds in one case only is found where the others have come in.
        strategy.widening_delay = 2 * WIDENING_DELAY;
        let has_limits = strategy.thresholds.limit_fields();
        let has_conditions = !self.semantics.approach.conditions.is_empty();
        let found = has_limits || !flags.is_empty() || has_conditions;
        strategy.apart.extend(flags);
        found
    }

    /// Tells states apart by what control variables hold. Whether there are any.
    pub fn tell_stages_apart(&mut self) -> bool {
        let control = partitioning::control::Control::of(self);
        self.strategy
            .apart
            .extend(control.iter().flat_map(partitioning::control::Control::variables));
        self.strategy.control = control;
        self.strategy.control.is_some()
    }

    /// Whether it may matter that what the program reads is in the range of its type.
    #[must_use]
    pub fn ranges_may_matter(&self) -> bool {
        inputs::may_matter(self.program)
    }

    /// Cuts loops at the start of their bodies until [`Self::cut_at_heads`], and lets paths stay
    /// apart as far as there. Returns whether that is somewhere else.
    pub fn cut_at_bodies(&mut self) -> bool {
        self.strategy.paths = Paths::Apart;
        let usual = std::mem::take(&mut self.semantics.approach.cuts);
        self.cut(CutSet::at_bodies);
        self.approach.cuts != usual
    }

    /// Cuts loops at their heads, as usual.
    pub fn cut_at_heads(&mut self) {
        self.strategy.paths = Paths::Joined;
        self.cut(CutSet::with_few_paths);
    }

    /// Cuts each procedure so, and where events begin.
    fn cut(&mut self, cut_set: impl Fn(&Procedure) -> CutSet) {
        let mut all: Vec<CutSet> = self.program.procedures.iter().map(cut_set).collect();
        for (index, cuts) in all.iter_mut().enumerate() {
            if self.fairness.is_event(ProcedureId::at(index)) {
                cuts.add_start();
            }
        }
        self.semantics.approach.cuts = all;
    }

    /// Keeps nodes that variables point at if bounds of what they hold would be lost, until
    /// [`Self::keep_values`]. This makes more states.
    pub fn keep_bounds(&mut self) {
        self.strategy.finest = FoldPrecision::KeepBounds;
        self.strategy.thresholds.limit_fields();
    }

    /// Forgets the numbers in nodes that are folded, until [`Self::keep_values`]. This makes fewer
    /// states, and smaller ones.
    pub fn keep_links(&mut self) {
        self.strategy.finest = FoldPrecision::KeepLinks;
    }

    /// Keeps nodes for exact values only, as usual.
    pub fn keep_values(&mut self) {
        self.strategy.finest = FoldPrecision::KeepValues;
    }

    /// Lets null pointers leave the ends of arrays in all loops that free what these own. Returns
    /// whether that is something else.
    pub fn empty_while_freeing(&mut self) -> bool {
        self.strategy.emptying = Loops::Freeing;
        self.strategy.freeing.has_others()
    }

    /// The sums, beside the usual ones, whose bounds are kept where a state is joined: among them what
    /// the program compares.
    fn directions(&self, state: &State) -> Vec<LinearExpr> {
        let sums = self.strategy.sums.iter().flat_map(|sum| sum.directions(state));
        let compared = self.strategy.thresholds.differences(state);
        sums.chain(compared.flat_map(|it| [it.neg(), it])).collect()
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
        let is_parted = |it: &Condition| it.is_known(left) != it.is_known(right);
        self.strategy.apart.iter().any(differs) || self.approach.conditions.iter().any(is_parted)
    }
}
