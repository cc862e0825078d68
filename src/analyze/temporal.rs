//! Questions about fair runs: the program and an automaton beside it.

use super::branching::of_formula as of_branching;
use super::{Origin, Subject, did_you_mean, problems};
use base::budget::Budget;
use c::{self, Appendix, Options, Parsed, Rejection};
use heap::shape::ShapeLibrary;
use ir::VariableInfo;
use obligation::{ErrorKind, Goal, Obligation};
use question::Question;
use reduce::ctl::branching;
use reduce::instrument::{Instrumented, with_words};
use reduce::integers::{Asked, Weave, answer, readings};
use reduce::ltl::{self, Violations};
use reduce::specification::{Monitor, OWED_AT_END};
use reduce::{Combination, Implication, Truth};
use report::codes::VIOLATED;
use report::{Answer, Finding, Location, Problem};
use std::collections::BTreeMap;
use verdict::Reason;

/// What a name stands for.
#[derive(Clone, Copy)]
enum Kind {
    Variable,
    Function,
}

impl Subject {
    /// Whether a question can be asked of this program.
    ///
    /// # Errors
    /// What is wrong with the C text of its formula or specification.
    pub fn understands(&self, question: &Question) -> Result<(), Vec<Problem>> {
        if let Question::ThreadTermination(named) = question {
            return self.missing_thread(named).map_or(Ok(()), |problem| Err(vec![problem]));
        }
        let appendix = match question {
            Question::Ltl(formula) => ltl::violations(formula).ok().map(|it| of_formula(&it)),
            Question::Ctl(formula) => branching(formula).ok().map(|it| of_branching(&it)),
            Question::Specification { file, text } => {
                let own = self.origin.parsed();
                own.and_then(|own| Some(Monitor::read(file, text).ok()?.appendix(own)))
            }
            _ => None,
        };
        let (Some(appendix), Origin::C { parsed, .. }) = (appendix, &self.origin) else {
            return Ok(());
        };
        let compiled = with_appendix(parsed, appendix)
            .and_then(|more| c::compile_parsed(&more, &self.options).map(|_| ()));
        compiled.map_err(|rejection| {
            let mut found = problems(&rejection);
            found.iter_mut().for_each(|problem| self.suggest(problem));
            found
        })
    }

    /// Adds to a complaint about a name the global variable whose name is most like it.
    fn suggest(&self, problem: &mut Problem) {
        let unknown =
            problem.message.strip_prefix('`').and_then(|it| it.strip_suffix("` is not declared"));
        let unknown = unknown.map(str::to_owned);
        if let Some(unknown) = unknown {
            let near = self.near(&unknown, Kind::Variable);
            problem.message.push_str(&near);
        }
    }

    /// The name of the program that is most like an unknown one, as a question; nothing if none
    /// is.
    fn near(&self, unknown: &str, kind: Kind) -> String {
        let Ok(program) = &self.program else { return String::new() };
        let is_global = |it: &&VariableInfo| it.owner.is_none() && !it.name.contains('$');
        let names: Vec<&str> = match kind {
            Kind::Variable => {
                program.variables.iter().filter(is_global).map(|it| it.name.as_str()).collect()
            }
            Kind::Function => program.procedures.iter().map(|it| it.name.as_str()).collect(),
        };
        did_you_mean(unknown, names)
    }

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
        let more = with_appendix(parsed, of_formula(&violations));
        let more = more.map_err(|rejection| unreadable("formula", &rejection))?;
        let main = self.options.entry.as_deref().unwrap_or("main");
        let weave = |program| violations.product(program, main);
        self.instrumented(question, Goal::Ends, (&more, &weave), library, budget)
    }

    /// Whether all runs keep to a specification.
    pub(super) fn specification(
        &self,
        question: &Question,
        (file, text): (&str, &str),
        library: &ShapeLibrary,
        budget: &Budget,
    ) -> Result<Finding, Reason> {
        let Origin::C { parsed, .. } = &self.origin else {
            return Err(Reason::NotBuilt("specifications of programs that are not C".to_owned()));
        };
        let monitor = Monitor::read(file, text).map_err(|error| {
            Reason::NotBuilt(format!("{file}, byte {}: {}", error.start + 1, error.message))
        })?;
        if let Some(name) = monitor.undeclared_builtin(parsed) {
            let what = format!("specifications of `{name}`, which is called without a declaration");
            return Err(Reason::NotBuilt(what));
        }
        let more = with_appendix(parsed, monitor.appendix(parsed));
        let more = more.map_err(|rejection| unreadable("specification", &rejection))?;
        let weave = |program| monitor.watched(program);
        let safe = Goal::avoids_all(&[ErrorKind::ErrorReached]);
        let ask = |goal| self.instrumented(question, goal, (&more, &weave), library, budget);
        let both = [safe, Goal::Ends].map(|goal| Combination::Ask(goal, Implication::Equivalent));
        let (_, finding) = Combination::All(both.to_vec()).decided(&mut |goal| {
            let finding = ask(*goal)?;
            Ok((truth_of(&finding), finding))
        })?;
        let mut finding = finding.unwrap_or_else(|| self.unknown(question, Vec::new()));
        for (name, (line, column)) in monitor.unknown_functions(parsed) {
            let what = "is no function of the program";
            finding.assumptions.push(format!("`{name}`, which the specification watches, {what}"));
            let near = self.near(name, Kind::Function);
            let message = format!("`{name}` {what}: its rules never apply{near}");
            let [line, column] = [line, column].map(|it| u32::try_from(it).ok());
            let length = u32::try_from(name.len()).unwrap_or(1);
            let location = Location { file: file.to_owned(), line, column, length };
            finding.warnings.push(Problem { message, location });
        }
        Ok(finding)
    }

    /// Whether all fair runs of a program with more code reach a goal.
    fn instrumented(
        &self,
        question: &Question,
        goal: Goal,
        (parsed, weave): (&Parsed, &Weave<'_>),
        library: &ShapeLibrary,
        budget: &Budget,
    ) -> Result<Finding, Reason> {
        let [proofs, _] = readings(goal, self.options.int_model);
        let options = Options { int_model: proofs.model, ..self.options.clone() };
        let compiled =
            c::compile_parsed(parsed, &options).map_err(|it| unreadable(question.name(), &it))?;
        if compiled.program.open.is_some() {
            let what =
                format!("`{}` of functions that are analysed by themselves", question.name());
            return Err(Reason::NotBuilt(what));
        }
        let Instrumented { program, fairness } =
            weave(compiled.program).map_err(Reason::NotBuilt)?;
        let asked = Asked::of(parsed, &self.options).through(weave);
        let obligation = Obligation::new(&program, goal).under(fairness);
        let obligation = obligation.read_by(Some(proofs.model));
        let answered = answer(&obligation, &asked, library, budget);
        Ok(self.told(question, self.finding(question, &answered, library)))
    }

    /// The finding in the words of the question: nothing is said of what runs beside the
    /// program.
    fn told(&self, question: &Question, finding: Finding) -> Finding {
        let entry = &finding.entry;
        let asked = question.argument().unwrap_or_default();
        let kept = match question {
            Question::Ltl(_) => format!("`{asked}`"),
            _ => format!("the specification `{asked}`"),
        };
        let is_endless =
            finding.evidence.as_ref().is_some_and(|evidence| evidence.endless_run.is_some());
        let reason = match finding.answer {
            Answer::Proved => format!("every run of `{entry}` satisfies {kept}"),
            Answer::Refuted => format!("a run of `{entry}` violates {kept}"),
            Answer::Unknown => return finding,
        };
        let mut causes = finding.causes;
        for cause in causes.iter_mut().filter(|_| finding.answer == Answer::Refuted) {
            cause.code = VIOLATED;
            cause.message = if is_endless {
                match cause.location {
                    Some(_) => format!("this goes on for ever, and violates {kept}"),
                    None => format!("the program ends, and has violated {kept}"),
                }
            } else if cause.message.contains(OWED_AT_END) {
                "a run ends, and `unset()` is still owed".to_owned()
            } else {
                "a run reaches `error()` of the specification".to_owned()
            };
        }
        Finding { reason, causes, test_case: None, subproperty: None, ..finding }
    }
}

/// What a finding says of its question.
fn truth_of(finding: &Finding) -> Truth {
    match finding.answer {
        Answer::Proved => Truth::Holds,
        Answer::Refuted => Truth::Fails,
        Answer::Unknown => Truth::Open,
    }
}

/// The C text of a formula.
fn of_formula(violations: &Violations) -> Appendix {
    Appendix { text: violations.appendix(), roots: violations.roots(), hooks: Vec::new() }
}

/// A program with more text, in which its macros are expanded.
pub(super) fn with_appendix(parsed: &Parsed, appendix: Appendix) -> Result<Parsed, Rejection> {
    let text = expanded(&appendix.text, &parsed.macros());
    c::with_appendix(parsed, Appendix { text, ..appendix })
}

/// Why there is no program with a formula or specification.
pub(super) fn unreadable(what: &str, rejection: &Rejection) -> Reason {
    let first = rejection.errors.first().map(|error| {
        let place = Location::of_span(error.span, &rejection.sources);
        format!("{}: {}", place.describe(), error.message)
    });
    Reason::NotBuilt(format!("this {what}: {}", first.unwrap_or_default()))
}

/// Longer text is not expanded any more.
const MOST_BYTES: usize = 1 << 20;
/// How often macros are looked for in what macros stand for.
const MOST_ROUNDS: usize = 20;

/// C text with what its macros stand for.
fn expanded(text: &str, macros: &BTreeMap<&str, &str>) -> String {
    let mut text = text.to_owned();
    for _ in 0..MOST_ROUNDS {
        if text.len() > MOST_BYTES {
            break;
        }
        let next = with_words(&text, &|word, _| macros.get(word).map(|body| (*body).to_owned()));
        if next == text {
            break;
        }
        text = next;
    }
    text
}
