//! Questions about fair runs: the program and an automaton beside it.

use super::{Origin, Subject};
use crate::base::budget::Budget;
use crate::c::{self, Options, Parsed, Rejection};
use crate::heap::shape::ShapeLibrary;
use crate::obligation::{Goal, Obligation};
use crate::question::Question;
use crate::reduce::integers::{Asked, Weave, answer, readings};
use crate::reduce::ltl;
use crate::reduce::weave::Woven;
use crate::report::{Finding, Location};
use crate::verdict::Reason;

impl Subject {
    /// Whether a formula of linear temporal logic holds of all runs.
    pub(super) fn ltl(
        &self,
        question: &Question,
        formula: &str,
        library: &ShapeLibrary,
        budget: &Budget,
    ) -> Result<Finding, Reason> {
        let Origin::C { parsed, .. } = &self.origin else {
            return Err(Reason::NotBuilt("formulas about programs that are not C".to_owned()));
        };
        let violations = ltl::violations(formula).map_err(|error| {
            Reason::NotBuilt(format!("this formula, byte {}: {}", error.start + 1, error.message))
        })?;
        let more = c::with_appendix(parsed, &violations.appendix(), &violations.roots());
        let more = more.map_err(|rejection| unreadable(&rejection))?;
        let main = self.options.entry.as_deref().unwrap_or("main");
        let weave = |program| violations.product(program, main);
        self.woven(question, (&more, &weave), library, budget)
    }

    /// Whether no fair run of a program with more code goes on for ever.
    fn woven(
        &self,
        question: &Question,
        (parsed, weave): (&Parsed, &Weave<'_>),
        library: &ShapeLibrary,
        budget: &Budget,
    ) -> Result<Finding, Reason> {
        let [proofs, _] = readings(Goal::Ends, self.options.int_model);
        let options = Options { int_model: proofs.model, ..self.options.clone() };
        let compiled = c::compile_parsed(parsed, &options).map_err(|it| unreadable(&it))?;
        if compiled.program.open.is_some() {
            let what =
                format!("`{}` of functions that are analysed by themselves", question.name());
            return Err(Reason::NotBuilt(what));
        }
        let Woven { program, fairness } = weave(compiled.program).map_err(Reason::NotBuilt)?;
        let asked = Asked::of(parsed, &self.options).through(weave);
        let obligation = Obligation::new(&program, Goal::Ends).under(fairness);
        let answered = answer(&obligation, &asked, library, budget);
        Ok(self.finding(question, &answered, library))
    }
}

/// Why there is no program with a formula.
fn unreadable(rejection: &Rejection) -> Reason {
    let first = rejection.errors.first().map(|error| {
        let place = Location::of_span(error.span, &rejection.sources);
        format!("{}: {}", place.describe(), error.message)
    });
    Reason::NotBuilt(format!("this formula: {}", first.unwrap_or_default()))
}
