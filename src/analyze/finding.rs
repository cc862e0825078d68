//! From the answer to an obligation to a finding for the report.

use super::read::NO_OVERFLOW;
use super::{Origin, Subject};
use base::source::Span;
use c::{DataModel, Options};
use evidence::approach::Form;
use evidence::certificate::Certificate;
use heap::shape::ShapeLibrary;
use ir::Program;
use ir::semantics::IntModel;
use ir::slice::bounds::with_bounds;
use question::Question;
use reduce::Truth;
use reduce::integers::{Answered, Runs};
use reduce::plain::subproperty;
use report::caller::{Caller, caller};
use report::endless::Supplied;
use report::failing::Failure;
use report::harness::{self, Given, Shows, TestCase};
use report::run::{Input, Rounds};
use report::{Answer, Cause, Evidence, Finding, claim};
use report::{assumed, c_terms, endless, failing, precondition, story};
use simplify::simplify;
use std::borrow::Cow;
use verdict::STEPS_ARE_SPENT;
use verdict::check::Defect;
use verdict::violation::Violation;
use verdict::{Reason, Refutation, Unknown, Verdict};

/// How a run is read that C leaves undefined where it overflows.
const WITH_WRAP_AROUND: &str = " with wrap-around; C leaves the overflow undefined";

impl Subject {
    /// What the report says of an answer.
    pub(super) fn finding(
        &self,
        question: &Question,
        answered: &Answered<'_>,
        library: &ShapeLibrary,
    ) -> Finding {
        let Answered { verdict, program, runs, .. } = answered;
        let is_decided = answered.truth() != Truth::Open;
        match verdict {
            Verdict::Proved(certificate) if is_decided => {
                self.proved(program, question, certificate, library)
            }
            Verdict::Refuted(refutation) if is_decided => {
                self.refuted((program, *runs), question, refutation)
            }
            Verdict::Violated(violation) if is_decided => {
                self.violated(program, question, violation)
            }
            Verdict::Unknown(unknown) => self.unanswered(program, question, unknown),
            // What is known of the obligation says nothing of the question.
            Verdict::Proved(_) | Verdict::Refuted(_) | Verdict::Violated(_) => {
                let reasons = vec![Reason::Rejected(Defect::Statement)];
                self.unanswered(program, question, &Unknown { reasons })
            }
        }
    }

    /// The answer that the question holds.
    fn proved(
        &self,
        program: &Program,
        question: &Question,
        certificate: &Certificate,
        library: &ShapeLibrary,
    ) -> Finding {
        let assumes = assumed::of_certificate(certificate, program);
        // What is counted beside the program's own variables has names in the program that was
        // proved only.
        let proved = match &certificate.approach.form {
            Form::Numbers(form) => {
                form.of(&simplify(program)).map_or(Cow::Borrowed(program), Cow::Owned)
            }
            Form::Bounds(needs) => with_bounds(&simplify(program), needs)
                .map_or(Cow::Borrowed(program), |it| Cow::Owned(it.program)),
            Form::Written | Form::Simplified => Cow::Borrowed(program),
        };
        let program = &*proved;
        // Only an argument for termination says how loops go on.
        let loops = match question {
            Question::Termination => story::loops(program, library, certificate),
            _ => Vec::new(),
        };
        let claim = claim(question.name(), &self.entry());
        let precondition = match &certificate.approach.form {
            Form::Bounds(needs) => precondition::of_needs(needs, program),
            Form::Written | Form::Simplified | Form::Numbers(..) => {
                precondition::describe(&certificate.statement.requires, program, library)
            }
        };
        let reason = match precondition.join(", or if ") {
            condition if condition.is_empty() => claim,
            condition => format!("{claim} if {condition}"),
        };
        // Under a precondition they would not hold of all runs, and bounds are no variables of C.
        let is_of_all = certificate.statement.requires.is_empty();
        let has_bounds = matches!(certificate.approach.form, Form::Bounds(_));
        let claims = match is_of_all && !has_bounds {
            true => c_terms::claims(program, certificate),
            false => Vec::new(),
        };
        let invariants = match has_bounds {
            true => Vec::new(),
            false => story::invariants(program, library, certificate),
        };
        let evidence = Some(Evidence { loops, claims, invariants, ..Evidence::default() });
        Finding {
            answer: Answer::Proved,
            reason,
            precondition,
            evidence,
            assumes,
            ..self.unknown(question, Vec::new())
        }
    }

    /// The answer that a run never ends, and how it is read.
    fn refuted(
        &self,
        (program, runs): (&Program, Runs),
        question: &Question,
        refutation: &Refutation,
    ) -> Finding {
        let run = endless::run(program, refutation);
        let mut cause = endless::cause(program, refutation);
        let mut reason = format!("a run of `{}` never ends", self.entry());
        if runs == Runs::Wrapping {
            reason = format!("{reason}: for ever{WITH_WRAP_AROUND}");
            cause.message.push_str(WITH_WRAP_AROUND);
        }
        let Supplied { given: [given, repeated], read } = endless::supplied(program, refutation);
        let shows = endless::shows(refutation);
        // A run that overflows is not what was found.
        let is_bounded = self.options.int_model == IntModel::C;
        let mut assumptions = self.assumptions.clone();
        assumptions.retain(|it| *it != NO_OVERFLOW || !is_bounded);
        Finding {
            answer: Answer::Refuted,
            assumptions,
            // A list of inputs has an end; only if rounds are alike can it be repeated.
            test_case: match run.rounds {
                Rounds::Alike => {
                    let caller = self.caller(program, &refutation.witness.stem);
                    let about = (&run.inputs[..], caller);
                    self.test_case((&reason, shows), ([&given, &repeated], read), about)
                }
                Rounds::Differ => None,
            },
            reason,
            evidence: Some(Evidence { endless_run: Some(run), ..Evidence::default() }),
            ..self.unknown(question, vec![cause])
        }
    }

    /// The answer that a run does what it must not.
    fn violated(&self, program: &Program, question: &Question, violation: &Violation) -> Finding {
        let Failure { run, cause, given, read } = failing::failure(program, violation);
        let reason = match &cause.location {
            Some(location) => format!("{}: {}", location.describe(), cause.message),
            None => cause.message.clone(),
        };
        let subproperty = subproperty(question, violation.event.kind()).map(str::to_owned);
        let shows = failing::shows(&violation.event);
        let test_case = {
            let choices: Vec<i128> = violation.choices.iter().map(|it| it.value).collect();
            let caller = self.caller(program, &choices);
            let about = (&run.inputs[..], caller);
            self.test_case((&reason, shows), ([&given, &[]], read), about)
        };
        let evidence = Evidence { failing_run: Some(run), ..Evidence::default() };
        Finding {
            answer: Answer::Refuted,
            test_case,
            subproperty,
            reason,
            evidence: Some(evidence),
            ..self.unknown(question, vec![cause])
        }
    }

    /// A C file that shows what is refuted, when the program is C and starts at `main`, or can be
    /// called from there.
    fn test_case(
        &self,
        (reason, shows): (&str, Shows),
        ([given, repeated], read): ([&[Given]; 2], Option<Vec<u8>>),
        (inputs, caller): (&[Input], Option<Caller>),
    ) -> Option<String> {
        let Origin::C { externals, parsed, .. } = &self.origin else { return None };
        if self.options.entry.as_deref().is_some_and(|it| it != "main") && caller.is_none() {
            return None;
        }
        let texts = |is_name: fn(&str) -> bool| {
            let of_start = inputs.iter().filter(move |it| is_name(&it.name));
            of_start.map(|it| it.value.clone())
        };
        let own_name = texts(|it| it == "argv[0]").next();
        let arguments = texts(|it| it.starts_with("argv[") && it != "argv[0]").collect();
        let files = parsed.names();
        let case = TestCase {
            files,
            reason,
            shows,
            given,
            repeated,
            read,
            externals,
            own_name,
            arguments,
            caller,
        };
        Some(harness::render(&case))
    }

    /// Who calls the function in a run with these choices, where another file can.
    fn caller(&self, program: &Program, choices: &[i128]) -> Option<Caller> {
        let Origin::C { parsed, .. } = &self.origin else { return None };
        let function = function_of(self.options.entry.as_deref()?);
        let defined = c::symbols(parsed).defined;
        let text = defined.contains(function).then(|| caller(program, function, choices))??;
        Some(Caller { text, hides_main: defined.contains("main") })
    }

    /// The answer that there is none, for the reasons of a prover.
    fn unanswered(&self, program: &Program, question: &Question, unknown: &Unknown) -> Finding {
        let place = |reason: &Reason| Cause::in_program(reason, program);
        let mut causes: Vec<Cause> = Vec::new();
        for cause in unknown.reasons.iter().map(place) {
            if !causes.contains(&cause) {
                causes.push(cause);
            }
        }
        if causes.is_empty() {
            causes.push(place(&Reason::NoRanking(Span::NOWHERE)));
        }
        self.unknown(question, causes)
    }

    /// The answer that there is none, for these causes.
    #[must_use]
    pub fn unknown(&self, question: &Question, causes: Vec<Cause>) -> Finding {
        let finding = unanswered(self.origin.file(), &self.options, question, causes);
        Finding { entry: self.entry(), assumptions: self.assumptions.clone(), ..finding }
    }

    /// The function where execution starts, as the user knows it.
    pub(super) fn entry(&self) -> String {
        match (&self.options.entry, &self.program) {
            (Some(entry), _) => function_of(entry).to_owned(),
            (None, Ok(program)) => {
                let entry = program.open.as_ref().map_or(program.entry, |open| open.procedure);
                let name = &program.procedure(entry).name;
                if name.contains('$') { "main".to_owned() } else { name.clone() }
            }
            (None, Err(_)) => "main".to_owned(),
        }
    }
}

/// The function that an entry of the options names, which may be `file:function`.
fn function_of(entry: &str) -> &str {
    entry.rsplit_once(':').map_or(entry, |(_, function)| function)
}

/// The answer that there is none, about a file that was perhaps not read to its
/// end.
#[must_use]
pub fn unanswered(
    file: &str,
    options: &Options,
    question: &Question,
    causes: Vec<Cause>,
) -> Finding {
    Finding {
        file: file.to_owned(),
        entry: function_of(options.entry.as_deref().unwrap_or("main")).to_owned(),
        property: question.name().to_owned(),
        argument: question.argument().map(str::to_owned),
        answer: Answer::Unknown,
        subproperty: None,
        reason: first_reason(&causes),
        precondition: Vec::new(),
        scope: None,
        causes,
        int_model: match options.int_model {
            IntModel::C => "c",
            IntModel::Math => "math",
            IntModel::Machine => "machine",
        },
        data_model: match options.data_model {
            DataModel::Lp64 => "lp64",
            DataModel::Ilp32 => "ilp32",
        },
        assumptions: Vec::new(),
        assumes: Vec::new(),
        evidence: None,
        fingerprint: None,
        accepted: None,
        test_case: None,
        warnings: Vec::new(),
        statistics: None,
    }
}

/// The same where steps were left: a limit of its own has ended each attempt, and more steps for the
/// question would not help.
#[must_use]
pub(crate) fn cut_by_attempts(mut finding: Finding) -> Finding {
    let before = first_reason(&finding.causes);
    for cause in finding.causes.iter_mut().filter(|it| it.message == STEPS_ARE_SPENT) {
        cause.message = "each attempt was given up at its own limit of steps".to_owned();
    }
    if let Some(rest) = finding.reason.strip_prefix(&before) {
        finding.reason = first_reason(&finding.causes) + rest;
    }
    finding
}

/// The first cause with its place, in one line.
fn first_reason(causes: &[Cause]) -> String {
    causes.first().map_or_else(String::new, |cause| match &cause.location {
        Some(location) => format!("{}: {}", location.describe(), cause.message),
        None => cause.message.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::{STEPS_ARE_SPENT, cut_by_attempts, unanswered};
    use c::Options;
    use question::Question;
    use report::{Cause, Finding};

    #[test]
    fn what_steps_have_to_do_with_it_is_said_once_and_nothing_else_changes() {
        let cause =
            |message: &str| Cause { code: "W033", message: message.to_owned(), location: None };
        let causes = vec![cause(STEPS_ARE_SPENT), cause("the time limit was reached")];
        let finding = unanswered("a.c", &Options::default(), &Question::Termination, causes);
        let reason = format!("{}; proved only when n = 0", finding.reason);
        let cut = cut_by_attempts(Finding { reason, ..finding });
        let said = "each attempt was given up at its own limit of steps";
        assert_eq!(cut.reason, format!("{said}; proved only when n = 0"));
        assert_eq!(
            [0, 1].map(|it| &cut.causes[it].message[..]),
            [said, "the time limit was reached"]
        );
    }
}
