//! Provers: a question about a program in, a verdict out.
//!
//! They see the program [simplified](crate::ir::simplify), which has the same
//! runs, blocks and spans.
//!
//! * [`mutant`]: CAV'06, termination of programs with heaps.

pub mod mutant;

use crate::base::budget::Budget;
use crate::heap::shape::ShapeLibrary;
use crate::ir::Program;
use crate::ir::simplify::simplify;
use crate::property::Property;
use crate::sonar::Machine;
use crate::verdict::{Certificate, Reason, Unknown, Verdict};

/// Answers a question about all runs of a program from its entry.
#[must_use]
pub fn prove(
    program: &Program,
    library: &ShapeLibrary,
    property: &Property,
    budget: &mut Budget,
) -> Verdict {
    match property {
        Property::Termination => mutant::prove(&Machine::new(&simplify(program), library), budget),
        Property::MemorySafety
        | Property::MemoryCleanup
        | Property::Reach
        | Property::Specification(_)
        | Property::Ctl(_)
        | Property::Ltl(_)
        | Property::ThreadTermination(_) => {
            let reasons = vec![Reason::NotBuilt(format!("the property `{}`", property.name()))];
            Verdict::Unknown(Box::new(Unknown { reasons }))
        }
    }
}

/// The transition system that the shape analysis of a program leaves behind.
///
/// # Errors
/// Why there is none.
pub fn transition_system(
    program: &Program,
    library: &ShapeLibrary,
    budget: &mut Budget,
) -> Result<Certificate, Vec<Reason>> {
    mutant::transition_system(&Machine::new(&simplify(program), library), budget)
}
