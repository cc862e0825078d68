//! What an answer is: a verdict with its evidence, or the reason for none.
//!
//! * [`check`]: the check of an argument, which searches nothing. Nobody sees a proof
//!   that it has not passed.
//! * [`multipliers`]: implications between numbers, carried or searched.
//! * [`restriction`]: endless runs by abstract states.
//! * [`value_sets`]: endless runs that nothing leads out of.
//! * [`violation`]: runs that do something wrong, and their replay.
//! * [`witness`]: runs that never end, and their check.

mod bytes;
pub mod check;
mod cover;
mod elements;
mod follow;
mod followed;
mod form;
pub mod multipliers;
mod nodes;
pub mod restriction;
pub mod rounds;
mod rows;
mod templates;
pub mod unmodelled;
pub mod value_sets;
pub mod violation;
pub mod witness;

use base::budget::Exhausted;
use base::source::Span;
use evidence::alarm::Alarm;
use evidence::certificate::Certificate;
use obligation::Obstacle;
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
#[derive(Clone, Debug)]
pub struct Refutation {
    /// How the run goes.
    pub witness: Witness,
    /// What its check found out about it.
    pub lasso: Lasso,
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

impl Unknown {
    /// Whether there may be a verdict with more steps.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.reasons.contains(&Reason::Exhausted(Exhausted::Steps))
    }
}

/// What is said where all steps were spent.
pub const STEPS_ARE_SPENT: &str = "the step limit was reached";

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
        match self {
            Self::Alarm(alarm) => alarm.kind.code(),
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

    /// The same as what keeps a precondition from being more general.
    #[must_use]
    pub fn obstacle(&self) -> Obstacle {
        Obstacle { code: self.code(), message: self.describe(), span: self.span() }
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
            Self::Exhausted(Exhausted::Steps) => STEPS_ARE_SPENT.to_owned(),
            Self::Exhausted(Exhausted::Time) => "the time limit was reached".to_owned(),
            Self::Exhausted(Exhausted::Memory) => "the memory limit was reached".to_owned(),
            Self::Exhausted(Exhausted::Interrupt) => "wane was interrupted".to_owned(),
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
