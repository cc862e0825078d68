//! From the text of a file to answers: the one place that joins front ends,
//! provers and reports. It reads no file and no clock.
//!
//! * [`link`]: which files are one program.
//! * `read`: from the text to a [`Subject`].
//! * [`Subject::ask`]: a question is reduced to an obligation, and that proved.
//! * `agreements`: a thread beside others that keep to an agreement.
//! * `branching`: questions of branching time.
//! * `temporal`: questions about fair runs.
//! * `near`: what a name that is none may have been meant to be.
//! * `identity`: what the answer depends on.
//! * `finding`: what the report says of the answer; `scoped`: how many calls a proof is about.

mod agreements;
mod branching;
mod finding;
mod identity;
pub mod link;
mod near;
mod read;
mod scoped;
mod temporal;
mod threads;

use base::budget::Budget;
use base::source::SourceMap;
use c::external::External;
use c::{Options, Parsed};
pub use finding::unanswered;
use heap::assertion;
use heap::shape::ShapeLibrary;
use heap::state::State;
use ir::semantics::Definedness;
use ir::text::{self, Contract};
use ir::{BlockId, Program};
pub use near::did_you_mean;
use obligation::{Callers, Goal, Inputs, Known, Obligation};
use prove::{precondition, prove_beside, runs_against, transition_system};
use question::Question;
pub use read::{Source, parse, problems, read, read_parsed};
use reduce::integers::{Answered, Asked, answer, readings, unless_void};
use reduce::plain;
use reduce::when_called::{endless_when_called, violated_when_called};
use report::{Cause, Finding, Location, Problem, its as its_report};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use verdict::{Reason, STEPS_ARE_SPENT};

/// What is taken for granted of the caller who makes a function run for ever.
const ALONE: &str = "no other thread writes what the function reads";

/// A program that questions can be asked about.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What it came from.
    origin: Origin,
    /// How that was understood.
    options: Options,
    /// The program, or why there is none.
    program: Result<Program, Reason>,
    /// What was taken for granted in reading it.
    assumptions: Vec<String>,
    /// What is known of what calls of the function need to end, if that was asked already.
    known: OnceLock<Known>,
}

/// What a program came from.
#[derive(Clone, Debug)]
enum Origin {
    /// C files.
    C {
        /// The files, for goals that need another reading of them.
        parsed: Arc<Parsed>,
        /// The name of the file of the entry function.
        file: String,
        /// The functions that the program calls and does not define.
        externals: Vec<External>,
    },
    /// A goto program or a transition system.
    System {
        /// The name of the file.
        file: String,
        /// The assertions that hold when the entry is called, as text.
        contracts: Vec<Contract>,
        /// The blocks that are locations of a transition system.
        locations: Vec<BlockId>,
    },
}

impl Origin {
    /// The name of the file.
    fn file(&self) -> &str {
        match self {
            Self::C { file, .. } | Self::System { file, .. } => file,
        }
    }

    /// The files, if they are C.
    fn parsed(&self) -> Option<&Arc<Parsed>> {
        match self {
            Self::C { parsed, .. } => Some(parsed),
            Self::System { .. } => None,
        }
    }

    /// The assertions that hold when the entry is called.
    fn contracts(&self) -> &[Contract] {
        match self {
            Self::C { .. } => &[],
            Self::System { contracts, .. } => contracts,
        }
    }
}

impl Subject {
    /// What the entry can rely on: one of these states; nothing when the file says nothing
    /// of it.
    ///
    /// # Errors
    /// The assertions that have no meaning with these shapes.
    pub fn precondition(&self, library: &ShapeLibrary) -> Result<Vec<State>, Vec<Problem>> {
        let (Ok(program), [_, more @ ..]) = (&self.program, self.origin.contracts()) else {
            return Ok(Vec::new());
        };
        let problem = |contract: &Contract, message: &str| Problem {
            message: message.to_owned(),
            location: Location::of_span(contract.span, &program.sources),
        };
        let second = more.first().map(|it| problem(it, "a procedure has one precondition"));
        let mut problems = Vec::from_iter(second);
        let mut requires = Vec::new();
        for contract in self.origin.contracts() {
            match assertion::parse(&contract.assertion, program, contract.procedure, library) {
                Ok(assertion) => requires.push(assertion.state),
                Err(error) => problems.push(problem(contract, &error.message)),
            }
        }
        if problems.is_empty() { Ok(requires) } else { Err(problems) }
    }

    /// The goto program as text.
    ///
    /// # Errors
    /// Why there is none.
    pub fn goto_text(&self) -> Result<String, String> {
        self.program.as_ref().map(text::print).map_err(Reason::describe)
    }

    /// Whether a function of a file is reachable from the entry. A program that there is none of has
    /// all.
    #[must_use]
    pub fn has_function(&self, name: &str, file: &str) -> bool {
        let Ok(program) = &self.program else { return true };
        let file_of = |span| Location::of_span(span, &program.sources).file;
        let mut procedures = program.procedures.iter();
        procedures.any(|it| it.shown_name() == name && file_of(it.span) == file)
    }

    /// Whether code that is reachable from the entry, or a variable that it uses, stands in one
    /// of some files. A program that there is none of does.
    #[must_use]
    pub fn has_code_of(&self, files: &BTreeSet<String>) -> bool {
        let Ok(program) = &self.program else { return true };
        if let Origin::System { file, .. } = &self.origin {
            return files.contains(file);
        }
        let procedures = program.procedures.iter().map(|it| it.span);
        let spans = procedures.chain(program.variables.iter().map(|it| it.span));
        let mut spans = spans.filter(|span| span.is_somewhere());
        spans.any(|span| Location::of_span(span, &program.sources).is_in(files))
    }

    /// The transition system that the shape analysis leaves behind, as text.
    ///
    /// # Errors
    /// Why there is none.
    pub fn its_text(&self, library: &ShapeLibrary, budget: &mut Budget) -> Result<String, String> {
        let program = self.program.as_ref().map_err(Reason::describe)?;
        let requires = self.precondition(library).map_err(|problems| {
            problems.first().map_or_else(String::new, |problem| problem.message.clone())
        })?;
        let system = transition_system(program, &requires, library, budget);
        let certificate = system.map_err(|reasons| {
            let cause = reasons.first().map(|it| Cause::of_reason(it, &program.sources));
            let why = cause.map_or_else(String::new, |cause| match &cause.location {
                Some(location) => format!(": {}: {}", location.describe(), cause.message),
                None => format!(": {}", cause.message),
            });
            format!("there is no transition system{why}")
        })?;
        Ok(its_report::print(program, &certificate))
    }

    /// The answer to one question. Where each attempt at a whole program was given up at its own limit
    /// of steps, they are made again with more.
    #[must_use]
    pub fn ask(&self, question: &Question, library: &ShapeLibrary, budget: &mut Budget) -> Finding {
        let finding = self.ask_once(question, library, budget);
        let is_cut_short = |it: &Finding| {
            it.causes.first().is_some_and(|it| it.message == STEPS_ARE_SPENT)
                && budget.has_steps_left()
        };
        let is_whole = self.program.as_ref().is_ok_and(|program| program.open.is_none());
        let finding = match is_whole && is_cut_short(&finding) {
            true => self.ask_once(question, library, &mut budget.with_larger_parts()),
            false => finding,
        };
        if budget.has_steps_left() { finding::cut_by_attempts(finding) } else { finding }
    }

    /// The answer that the first attempts give.
    fn ask_once(
        &self,
        question: &Question,
        library: &ShapeLibrary,
        budget: &mut Budget,
    ) -> Finding {
        let asked = self.origin.parsed().map(|parsed| Asked::of(parsed, &self.options));
        let finding = self.answered(question, asked.as_ref(), library, budget);
        finding.unwrap_or_else(|reason| {
            let nowhere = SourceMap::default();
            let sources = self.program.as_ref().map_or(&nowhere, |program| &program.sources);
            let mut cause = Cause::of_reason(&reason, sources);
            if let Question::ThreadTermination(named) = question {
                cause.location = cause.location.or_else(|| self.place_of(named, sources));
            }
            self.unknown(question, vec![cause])
        })
    }

    /// The answer to one question, or why it cannot be asked. The program of a C file is
    /// `asked` for by a model of integers.
    fn answered(
        &self,
        question: &Question,
        asked: Option<&Asked<'_>>,
        library: &ShapeLibrary,
        budget: &Budget,
    ) -> Result<Finding, Reason> {
        let requires = match (&self.program, self.precondition(library)) {
            (Err(reason), _) => return Err(reason.clone()),
            (Ok(_), Ok(requires)) => requires,
            (Ok(_), Err(problems)) => {
                let what = problems.first().map_or("", |problem| &problem.message);
                return Err(Reason::NotBuilt(format!("assertions without meaning: {what}")));
            }
        };
        match question {
            Question::Ltl(formula) => return self.ltl(question, formula, library, budget),
            Question::Ctl(formula) => return self.ctl(question, formula, library, budget),
            Question::ThreadTermination(function) => {
                return self.thread(question, function, library, budget);
            }
            Question::Specification { file, text } => {
                return self.specification(question, (file, text), library, budget);
            }
            _ => {}
        }
        let goal = plain::goal(question)
            .ok_or_else(|| Reason::NotBuilt(format!("the property `{}`", question.name())))?;
        let subject = self.read_for_proofs(goal);
        let program = subject.program.as_ref().map_err(Reason::clone)?;
        let known = match goal {
            Goal::Avoids(_) if requires.is_empty() => self.known_for(program, library, budget),
            Goal::Ends | Goal::Avoids(_) => Known::default(),
        };
        let definedness = match goal {
            Goal::Ends => self.options.definedness,
            Goal::Avoids(_) => Definedness::Shown,
        };
        let obligation = Obligation::new(program, goal)
            .with_definedness(definedness)
            .called_by(match (goal, self.options.definedness) {
                (Goal::Avoids(_), Definedness::Assumed) => Callers::ByTypes,
                _ => Callers::Anyone,
            })
            .read_by(subject.origin.parsed().map(|_| subject.options.int_model))
            .reading(match goal {
                Goal::Avoids(_) if subject.origin.parsed().is_some() => Inputs::Wrapping,
                Goal::Avoids(_) | Goal::Ends => Inputs::Any,
            })
            .requiring(requires)
            .knowing(known);
        let answered = match asked {
            Some(asked) => answer(&obligation, asked, library, budget),
            None => {
                let (verdict, learnt) =
                    prove_beside(&runs_against(&obligation, library), &obligation, library, budget);
                let verdict = unless_void(verdict, &obligation, library, budget);
                Answered { learnt, ..Answered::of(verdict, program) }
            }
        };
        let obstacle = answered.learnt.obstacle.clone();
        if goal == Goal::Ends {
            self.note(answered.learnt.clone(), budget);
        }
        let finding = subject.finding(question, &answered, library);
        let finding = subject.scoped(finding, &answered, obstacle.as_ref(), (library, budget));
        if finding.answer == report::Answer::Unknown
            && goal == Goal::Ends
            && let Some(asked) = asked
            && let Some(endless) =
                endless_when_called(&answered.verdict, &obligation, asked, budget)
        {
            let mut finding = subject.finding(question, &endless, library);
            finding.assumptions.push(ALONE.to_owned());
            return Ok(finding);
        }
        if finding.answer == report::Answer::Unknown
            && let Some(asked) = asked
            && let Some(violated) =
                violated_when_called(&answered.verdict, &obligation, asked, budget)
        {
            return Ok(subject.finding(question, &violated, library));
        }
        Ok(finding)
    }

    /// What is known of what calls of a function that is analysed by itself need to end: that
    /// may be enough for other goals, too. The program is a reading of the same text.
    fn known_for(&self, program: &Program, library: &ShapeLibrary, budget: &Budget) -> Known {
        let Some(own) = self.program.as_ref().ok().filter(|own| own.open.is_some()) else {
            return Known::default();
        };
        let found;
        let known = match self.known.get() {
            Some(known) => known,
            None => {
                found = precondition::needs(own, library, budget);
                self.note(found.clone(), budget);
                &found
            }
        };
        let carried = |states| precondition::carried_over(states, own, program);
        let carried = |states| carried(states).unwrap_or_default();
        let [enough, hopeless, costly] =
            [&known.enough, &known.hopeless, &known.costly].map(|states| carried(states));
        Known { enough, hopeless, costly, fruitless: known.fruitless, obstacle: None }
    }

    /// Keeps what was found. A search that was stopped is not the last word.
    fn note(&self, known: Known, budget: &Budget) {
        if budget.canceller().cancelled().is_none() {
            // What was noted before came from the same search.
            let _ = self.known.set(known);
        }
    }

    /// The same file, as proofs of a goal need it.
    fn read_for_proofs(&self, goal: Goal) -> Cow<'_, Self> {
        let model = |goal| {
            let [proofs, _] = readings(goal, self.options.int_model);
            proofs.model
        };
        let again = self.origin.parsed().filter(|_| model(goal) != model(Goal::Ends));
        let again = again.and_then(|parsed| {
            let options = Options { int_model: model(goal), ..self.options.clone() };
            read::read_parsed(parsed, &options).ok()
        });
        again.map_or(Cow::Borrowed(self), Cow::Owned)
    }
}
