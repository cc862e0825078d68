//! Whether a thread ends that runs beside others.

use super::{Origin, Subject};
use crate::base::budget::Budget;
use crate::c::{Options, Threads};
use crate::heap::shape::ShapeLibrary;
use crate::ir::Program;
use crate::obligation::Goal;
use crate::question::Question;
use crate::reduce::threads::scheduled;
use crate::report::Finding;
use crate::verdict::Reason;

impl Subject {
    /// Whether the named function ends as a thread of the program, whatever the schedule.
    pub(super) fn thread(
        &self,
        question: &Question,
        named: &str,
        library: &ShapeLibrary,
        budget: &Budget,
    ) -> Result<Finding, Reason> {
        let Origin::C { parsed, .. } = &self.origin else {
            return Err(Reason::NotBuilt("threads of programs that are not C".to_owned()));
        };
        let options = Options { threads: Threads::Many, ..self.options.clone() };
        let subject = Self { options, ..self.clone() };
        let weave = |program: Program| scheduled(program, named);
        let mut finding = subject.woven(question, Goal::Ends, (parsed, &weave), library, budget)?;
        finding.assumptions.push(
            "threads move one access at a time, in any order, and can always be started; a \
             library function is one step"
                .to_owned(),
        );
        Ok(finding)
    }
}
