//! What an answer is: a verdict with its evidence, or the reason for none.
//!
//! * [`check`]: the check of an argument, which searches nothing. Nobody sees a proof
//!   that it has not passed.
//! * [`multipliers`]: implications between numbers, carried or searched.
//! * [`violation`]: runs that do something wrong, and their replay.
//! * [`witness`]: runs that never end, and their check.

pub mod check;
mod cover;
mod follow;
mod form;
pub mod multipliers;
mod nodes;
pub mod violation;
pub mod witness;

use crate::base::budget::Exhausted;
use crate::base::source::Span;
use crate::heap::state::{Kind, State};
use crate::logic::Var;
use crate::rank::refinement::Refinement;
use crate::rank::{self, Relation, System};
use crate::sonar::Alarm;
use crate::sonar::fixpoint::Retired;
use crate::sonar::guide::{Meeting, Path};
use crate::sonar::place::Place;
use crate::sonar::transitions::{Cover, Edge};
use violation::Violation;
use witness::{Lasso, Witness};

/// The answer to an obligation.
#[derive(Debug)]
pub enum Verdict {
    /// All runs reach the goal; the argument was checked.
    Proved(Box<Certificate>),
    /// A run never ends; it was checked.
    Refuted(Box<Refutation>),
    /// A run makes an error; it was replayed.
    Violated(Box<Violation>),
    /// Neither shown nor refuted.
    Unknown(Box<Unknown>),
}

/// A run against termination.
#[derive(Debug)]
pub struct Refutation {
    /// How the run goes.
    pub witness: Witness,
    /// What its check found out about it.
    pub lasso: Lasso,
}

/// An argument for termination: abstract states closed under execution, and
/// ranking functions for the relations between them.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// What the entry's call relies on: one of these; nothing if there are none.
    pub requires: Vec<State>,
    /// The abstract states, the start first.
    pub nodes: Vec<CertifiedNode>,
    /// How the nodes are divided into cells, if the nodes themselves have no
    /// ranking functions.
    pub refinement: Option<Refinement>,
    /// Ranking functions, by component of the graph of nodes, or of cells.
    pub ranking: rank::Certificate,
}

/// An abstract state and all steps from it.
#[derive(Clone, Debug)]
pub struct CertifiedNode {
    /// Where it is.
    pub place: Place,
    /// What may be there.
    pub state: State,
    /// The steps, in the order in which execution finds them; `None` for a
    /// state that the start does not reach.
    pub steps: Option<Vec<Edge>>,
    /// Where paths from it meet before they reach the next states, in the order in
    /// which execution finds them.
    pub meetings: Vec<Meeting>,
    /// Whether calls may not use it as a summary.
    pub retired: Retired,
}

impl Refutation {
    /// The stable code of runs that never end.
    pub const CODE: &'static str = "W050";
}

/// Why there is no verdict, and what was found so far.
#[derive(Debug)]
pub struct Unknown {
    /// The reasons, the weightiest first; at least one.
    pub reasons: Vec<Reason>,
}

/// One reason for [`Verdict::Unknown`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Something may go wrong, or is not modelled.
    Alarm(Alarm),
    /// A budget ran out.
    Exhausted(Exhausted),
    /// A loop has more abstract states than the limit.
    TooManyStates(Span),
    /// No ranking function was found for the loop here.
    NoRanking(Span),
    /// The abstract states were not closed under execution.
    NotClosed(Span),
    /// A run makes an error, after an arithmetic overflow that has no
    /// defined result.
    Overflow(Span),
    /// The loop here was shown to end only where an overflow of signed integers, which
    /// has no defined result, is no way to go on.
    EndsByOverflow(Span),
    /// The question is not answered by this version.
    NotBuilt(String),
    /// The argument did not pass the check.
    Rejected(check::Defect),
}

impl Reason {
    /// The code of loops that only an overflow ends.
    pub const ENDS_BY_OVERFLOW: &'static str = "W035";

    /// The stable code of the reason.
    #[must_use]
    pub fn code(&self) -> &'static str {
        use crate::sonar::AlarmKind;
        match self {
            Self::Alarm(alarm) => match alarm.kind {
                AlarmKind::NullDereference => "W001",
                AlarmKind::WildDereference => "W002",
                AlarmKind::OutOfBounds => "W003",
                AlarmKind::InvalidFree => "W004",
                AlarmKind::NegativeAllocation => "W005",
                AlarmKind::DivisionByZero => "W006",
                AlarmKind::UnknownCallee => "W007",
                AlarmKind::ConstantWrite => "W008",
                AlarmKind::Leak => "W010",
                AlarmKind::Unfreed => "W011",
                AlarmKind::ErrorReached(_) => "W012",
                AlarmKind::Unsupported(_) => "W020",
                AlarmKind::Recursion(_) => "W021",
            },
            Self::NoRanking(_) => "W030",
            Self::TooManyStates(_) => "W031",
            Self::NotClosed(_) => "W032",
            Self::Exhausted(_) => "W033",
            Self::Overflow(_) => "W034",
            Self::EndsByOverflow(_) => Self::ENDS_BY_OVERFLOW,
            Self::NotBuilt(_) => "W040",
            Self::Rejected(_) => "W041",
        }
    }

    /// The place it is about, if there is one.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Alarm(alarm) => Some(alarm.span),
            Self::TooManyStates(span)
            | Self::NoRanking(span)
            | Self::NotClosed(span)
            | Self::Overflow(span)
            | Self::EndsByOverflow(span) => Some(*span),
            Self::Exhausted(_) | Self::NotBuilt(_) | Self::Rejected(_) => None,
        }
    }

    /// The reason as a clause of a sentence.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Alarm(alarm) => alarm.kind.describe(),
            Self::Exhausted(Exhausted::Steps) => "the step limit was reached".to_owned(),
            Self::Exhausted(Exhausted::Time) => "the time limit was reached".to_owned(),
            Self::Exhausted(Exhausted::Memory) => "the memory limit was reached".to_owned(),
            Self::TooManyStates(_) => "this loop has too many abstract states".to_owned(),
            Self::NoRanking(_) => "no measure was found that this loop decreases".to_owned(),
            Self::NotClosed(_) => {
                "the states found for this loop are not closed under execution".to_owned()
            }
            Self::Overflow(_) => {
                "only a run with an integer overflow was found to fail here".to_owned()
            }
            Self::EndsByOverflow(_) => {
                "this loop may go on until a signed integer overflows".to_owned()
            }
            Self::NotBuilt(what) => format!("this version does not answer {what}"),
            Self::Rejected(defect) => {
                format!("the argument found did not pass its check: {defect:?}")
            }
        }
    }
}

impl CertifiedNode {
    /// All covers, in the order in which the check comes to them.
    fn covers_mut(&mut self) -> impl Iterator<Item = &mut Cover> {
        let paths = self.meetings.iter_mut().flat_map(|meeting| &mut meeting.paths);
        let of_paths = paths.filter_map(|path| match path {
            Path::Covered(_, cover) => Some(cover),
            Path::GoesOn | Path::Same(_) => None,
        });
        of_paths.chain(self.steps.iter_mut().flatten().map(|step| &mut step.cover))
    }
}

impl Certificate {
    /// All covers, in the order in which the check comes to them.
    pub(crate) fn covers_mut(&mut self) -> impl Iterator<Item = &mut Cover> {
        self.nodes.iter_mut().flat_map(CertifiedNode::covers_mut)
    }

    /// The node of each location of the ranked system.
    #[must_use]
    pub fn origins(&self) -> Vec<usize> {
        match &self.refinement {
            Some(refinement) => refinement.origins.clone(),
            None => (0..self.nodes.len()).collect(),
        }
    }

    /// The system that the ranking is about: that of the nodes, or of their
    /// cells. Nothing when the cells do not fit the nodes.
    #[must_use]
    pub fn ranked_system(&self) -> Option<System> {
        let nodes = self.system();
        match &self.refinement {
            Some(refinement) => refinement.system(&nodes),
            None => Some(nodes),
        }
    }

    /// The transition system of the nodes: a location a node, whose values
    /// are the node's integer variables; an edge a step.
    #[must_use]
    pub fn system(&self) -> System {
        let integers =
            |node: &CertifiedNode| node.state.vocabulary.of_kind(Kind::Integer).collect::<Vec<_>>();
        let arities = self.nodes.iter().map(|node| integers(node).len()).collect();
        let mut edges = Vec::new();
        for step in self.nodes.iter().filter_map(|node| node.steps.as_ref()).flatten() {
            let (from, to) = (&self.nodes[step.from.index()], &self.nodes[step.to.index()]);
            let shift = u32::try_from(from.state.vocabulary.len()).unwrap_or(u32::MAX);
            let relation = Relation {
                pre: integers(from),
                post: integers(to).into_iter().map(|v| Var(v.0 + shift)).collect(),
                constraints: step.relation.constraints().to_vec(),
            };
            edges.push(rank::Edge { from: step.from.index(), to: step.to.index(), relation });
        }
        System { arities, edges }
    }
}
