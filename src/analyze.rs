//! From the text of a file to answers: the one place that joins front ends,
//! provers and reports. It reads no file and no clock.

use crate::base::budget::Budget;
use crate::base::source::{SourceMap, Span};
use crate::c::external::External;
use crate::c::{
    self, Compiled, DataModel, IntModel, MallocModel, Options, PreprocessedSource, Rejection,
    SyntaxError,
};
use crate::heap::assertion;
use crate::heap::shape::ShapeLibrary;
use crate::ir::text::{self, Contract, Moment};
use crate::ir::{ProcedureId, Program};
use crate::its::{SystemError, smt, t2};
use crate::property::Property;
use crate::prove::violation::replayed;
use crate::prove::{Bounded, prove, prove_under, prove_without_overflow, transition_system};
use crate::report::harness::{self, Given, Shows, TestCase};
use crate::report::{Answer, Cause, Evidence, Finding, Location, Problem, claim};
use crate::report::{c_terms, endless, failing, its as its_report, precondition, story};
use crate::sonar;
use crate::verdict::violation::Violation;
use crate::verdict::{Reason, Refutation, Verdict};
use std::cell::OnceCell;

/// The text of a file, by language.
#[derive(Clone, Debug)]
pub enum Source {
    /// Preprocessed C.
    C(PreprocessedSource),
    /// A goto program.
    Goto {
        /// The file's name.
        name: String,
        /// Its text.
        text: String,
    },
    /// An integer transition system, in the termination competition's style.
    Smt {
        /// The file's name.
        name: String,
        /// Its text.
        text: String,
    },
    /// An integer transition system, in T2's format.
    T2 {
        /// The file's name.
        name: String,
        /// Its text.
        text: String,
    },
}

/// A program that questions can be asked about.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The file it came from.
    file: String,
    /// How the file was understood.
    options: Options,
    /// The program, or why there is none.
    program: Result<Program, Reason>,
    /// What was taken for granted in reading it.
    assumptions: Vec<&'static str>,
    /// The text, for questions that need another understanding of it.
    source: Option<PreprocessedSource>,
    /// The assertions that hold when the entry is called, as text.
    contracts: Vec<Contract>,
    /// The functions that the program calls and does not define.
    externals: Vec<External>,
}

/// Reads a file.
///
/// # Errors
/// What is wrong with its text.
pub fn read(source: Source, options: &Options) -> Result<Subject, Vec<Problem>> {
    match source {
        Source::C(source) => read_c(&source, options),
        Source::Goto { name, text } => read_goto(name, &text, options),
        Source::Smt { name, text } => read_system(smt::read(&name, &text), name, options),
        Source::T2 { name, text } => read_system(t2::read(&name, &text), name, options),
    }
}

fn read_c(source: &PreprocessedSource, options: &Options) -> Result<Subject, Vec<Problem>> {
    // The runs that overflow are left out where that matters.
    let int_model = match options.int_model {
        IntModel::C | IntModel::Math => IntModel::Math,
        IntModel::Machine => IntModel::Machine,
    };
    let compiled = c::compile_with_externals(source, &Options { int_model, ..options.clone() });
    let Compiled { program, externals } = compiled.map_err(|rejection| problems(&rejection))?;
    let (program, assumptions) = (Ok(program), assumptions(options));
    let (file, options, source) = (source.name.clone(), options.clone(), Some(source.clone()));
    let contracts = Vec::new();
    Ok(Subject { file, options, program, assumptions, source, contracts, externals })
}

/// What is wrong with a C file, for the report.
#[must_use]
pub fn problems(rejection: &Rejection) -> Vec<Problem> {
    let problem = |error: &SyntaxError| Problem {
        message: error.message.clone(),
        location: Location::of_span(error.span, &rejection.sources),
    };
    rejection.errors.iter().map(problem).collect()
}

/// What is taken for granted of signed integers, unless they wrap around.
const NO_OVERFLOW: &str = "signed integers do not overflow";

/// What holds of C programs by the user's choice of options.
fn assumptions(options: &Options) -> Vec<&'static str> {
    let mut assumptions = Vec::new();
    if options.int_model != IntModel::Machine {
        assumptions.push(NO_OVERFLOW);
    }
    if options.malloc == MallocModel::Succeeds {
        assumptions.push("malloc does not fail");
    }
    assumptions
}

fn read_system(
    system: Result<Program, SystemError>,
    name: String,
    options: &Options,
) -> Result<Subject, Vec<Problem>> {
    let sources = SourceMap { files: vec![name.clone()] };
    let program = system.map_err(|error| {
        let location = Location::of_span(error.span, &sources);
        vec![Problem { message: error.message, location }]
    })?;
    if options.entry.as_deref().is_some_and(|entry| entry != "main") {
        let message = "a transition system has no entry but its start".to_owned();
        return Err(vec![Problem { message, location: Location::of_file(&name) }]);
    }
    let program = Ok(program);
    Ok(Subject::of_system(name, options, program, Vec::new()))
}

fn read_goto(name: String, text: &str, options: &Options) -> Result<Subject, Vec<Problem>> {
    let sources = SourceMap { files: vec![name.clone()] };
    let problem = |span: Span, message: String| Problem {
        message,
        location: Location::of_span(span, &sources),
    };
    let parsed = text::parse(&name, text).map_err(|errors| {
        errors.into_iter().map(|error| problem(error.span, error.message)).collect::<Vec<_>>()
    })?;
    let mut program = parsed.program;
    if let Some(wanted) = &options.entry {
        let position = program.procedures.iter().position(|procedure| procedure.name == *wanted);
        let Some(position) = position else {
            return Err(vec![problem(Span::NOWHERE, format!("there is no procedure `{wanted}`"))]);
        };
        program.entry = ProcedureId::at(position);
    }
    let of_entry = |contract: &Contract| contract.procedure == program.entry;
    let contracts: Vec<Contract> = parsed.contracts.into_iter().filter(of_entry).collect();
    let ensures = contracts.iter().find(|contract| contract.moment == Moment::After);
    let program = match ensures {
        Some(_) => Err(Reason::NotBuilt("whether a procedure ensures an assertion".to_owned())),
        None if contracts.is_empty() && program.procedure(program.entry).parameters.is_empty() => {
            Ok(program)
        }
        None => {
            let entry = program.entry;
            Ok(program.opened_at(entry))
        }
    };
    Ok(Subject::of_system(name, options, program, contracts))
}

impl Subject {
    /// What is read from a format that leaves nothing to others.
    fn of_system(
        file: String,
        options: &Options,
        program: Result<Program, Reason>,
        contracts: Vec<Contract>,
    ) -> Self {
        let (options, assumptions, externals) = (options.clone(), Vec::new(), Vec::new());
        Self { file, options, program, assumptions, source: None, contracts, externals }
    }

    /// What the entry can rely on; nothing when the file says nothing of it.
    ///
    /// # Errors
    /// The assertions that have no meaning with these shapes.
    pub fn precondition(
        &self,
        library: &ShapeLibrary,
    ) -> Result<Option<sonar::contract::Contract>, Vec<Problem>> {
        let (Ok(program), [_, ..]) = (&self.program, self.contracts.as_slice()) else {
            return Ok(None);
        };
        let mut problems = Vec::new();
        let mut requires = Vec::new();
        let second = self.contracts.get(1).map(|contract| Problem {
            message: "a procedure has one precondition".to_owned(),
            location: Location::of_span(contract.span, &program.sources),
        });
        problems.extend(second);
        for contract in &self.contracts {
            match assertion::parse(&contract.assertion, program, contract.procedure, library) {
                Ok(assertion) => requires.push(assertion.state),
                Err(error) => problems.push(Problem {
                    message: error.message,
                    location: Location::of_span(contract.span, &program.sources),
                }),
            }
        }
        let procedure = self.contracts[0].procedure;
        let naming = sonar::contract::Naming::Fresh;
        let contract = sonar::contract::Contract { procedure, requires, naming };
        if problems.is_empty() { Ok(Some(contract)) } else { Err(problems) }
    }

    /// The goto program as text.
    ///
    /// # Errors
    /// Why there is none.
    pub fn goto_text(&self) -> Result<String, String> {
        self.program.as_ref().map(text::print).map_err(Reason::describe)
    }

    /// The transition system that the shape analysis leaves behind, as text.
    ///
    /// # Errors
    /// Why there is none.
    pub fn its_text(&self, library: &ShapeLibrary, budget: &mut Budget) -> Result<String, String> {
        let program = self.program.as_ref().map_err(Reason::describe)?;
        let contract = self.precondition(library).map_err(|problems| {
            problems.first().map_or_else(String::new, |problem| problem.message.clone())
        })?;
        let system = transition_system(program, contract, library, budget);
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

    /// The answer to one question.
    ///
    /// That something bad never happens is shown for arithmetic that wraps around,
    /// whatever the options say: runs without overflow are among those, and a
    /// loop that only an overflow can leave hides nothing behind it.
    #[must_use]
    pub fn ask(&self, property: &Property, library: &ShapeLibrary, budget: &mut Budget) -> Finding {
        let bounded = OnceCell::new();
        let bounded = || bounded.get_or_init(|| self.bounded()).as_ref();
        match (self.wrapping(property), &self.program) {
            (Some(wrapping), Ok(exact)) => {
                let exact = || bounded().or(Some(exact));
                wrapping.ask_as_read(property, library, Some(&exact), budget)
            }
            _ if self.options.int_model == IntModel::C && self.source.is_some() => {
                self.ask_as_read(property, library, Some(&bounded), budget)
            }
            _ => self.ask_as_read(property, library, None, budget),
        }
    }

    /// The same file read without the runs in which a signed integer overflows, if
    /// they are none.
    fn bounded(&self) -> Option<Program> {
        let source = self.source.as_ref().filter(|_| self.options.int_model == IntModel::C)?;
        c::compile(source, &self.options).ok()
    }

    /// The same file read with arithmetic that wraps around, if the question
    /// needs that and it was not read so.
    fn wrapping(&self, property: &Property) -> Option<Self> {
        let is_safety = match property {
            Property::MemorySafety | Property::MemoryCleanup | Property::Reach => true,
            Property::Termination
            | Property::Specification(_)
            | Property::Ctl(_)
            | Property::Ltl(_)
            | Property::ThreadTermination(_) => false,
        };
        let source = self.source.as_ref()?;
        let options = match self.options.int_model {
            IntModel::C | IntModel::Math if is_safety => {
                Options { int_model: IntModel::Machine, ..self.options.clone() }
            }
            IntModel::C | IntModel::Math | IntModel::Machine => return None,
        };
        read_c(source, &options).ok()
    }

    /// The answer; a run that goes wrong, or never ends, must do so in `exact` as well,
    /// the same program without what is undefined.
    fn ask_as_read(
        &self,
        property: &Property,
        library: &ShapeLibrary,
        exact: Option<Bounded<'_>>,
        budget: &mut Budget,
    ) -> Finding {
        let program = match &self.program {
            Ok(program) => program,
            Err(reason) => {
                return self
                    .unknown(property, vec![Cause::of_reason(reason, &SourceMap::default())]);
            }
        };
        let verdict = match self.precondition(library) {
            Ok(None) => match (property, exact) {
                (Property::Termination, Some(bounded)) => {
                    prove_without_overflow(program, bounded, library, budget)
                }
                _ => prove(program, library, property, budget),
            },
            Ok(Some(contract)) => prove_under(contract, program, library, property, budget),
            Err(problems) => {
                let what = problems.first().map_or_else(String::new, |it| it.message.clone());
                let reason = Reason::NotBuilt(format!("assertions without meaning: {what}"));
                return self.unknown(property, vec![Cause::of_reason(&reason, &program.sources)]);
            }
        };
        match verdict {
            Verdict::Proved(certificate) => {
                // Only an argument for termination says how loops go on.
                let loops = match property {
                    Property::Termination => story::loops(program, library, &certificate),
                    _ => Vec::new(),
                };
                let claim = claim(property.name(), &self.entry());
                let precondition = precondition::describe(&certificate.requires, program, library);
                let reason = match precondition.join(", or if ") {
                    condition if condition.is_empty() => claim,
                    condition => format!("{claim} if {condition}"),
                };
                // Under a precondition they would not hold of all runs.
                let claims = match certificate.requires.as_slice() {
                    [] => c_terms::claims(program, &certificate),
                    [_, ..] => Vec::new(),
                };
                let invariants = story::invariants(program, library, &certificate);
                let evidence = Some(Evidence { loops, claims, invariants, ..Evidence::default() });
                Finding {
                    answer: Answer::Proved,
                    reason,
                    precondition,
                    evidence,
                    ..self.unknown(property, Vec::new())
                }
            }
            Verdict::Refuted(refutation) => {
                let program = exact.and_then(|exact| exact()).unwrap_or(program);
                self.refuted(program, property, &refutation)
            }
            Verdict::Violated(violation)
                if exact
                    .and_then(|exact| exact())
                    .is_some_and(|it| replayed(it, property, &violation).is_none()) =>
            {
                let reason = Reason::Overflow(violation.span);
                self.unknown(property, vec![Cause::of_reason(&reason, &program.sources)])
            }
            Verdict::Violated(violation) => self.violated(program, property, &violation),
            Verdict::Unknown(unknown) => {
                let place = |reason: &Reason| Cause::of_reason(reason, &program.sources);
                let mut causes: Vec<Cause> = unknown.reasons.iter().map(place).collect();
                if causes.is_empty() {
                    causes.push(place(&Reason::NoRanking(Span::NOWHERE)));
                }
                self.unknown(property, causes)
            }
        }
    }

    /// The answer that a run never ends.
    fn refuted(&self, program: &Program, property: &Property, refutation: &Refutation) -> Finding {
        let run = endless::run(program, refutation);
        let cause = endless::cause(program, refutation);
        let reason = format!("a run of `{}` never ends", self.entry());
        let [given, repeated] = endless::given(refutation);
        let shows = endless::shows(refutation);
        // A run that overflows is not what was found.
        let is_bounded = self.options.int_model == IntModel::C;
        let mut assumptions = self.assumptions.clone();
        assumptions.retain(|it| *it != NO_OVERFLOW || !is_bounded);
        Finding {
            answer: Answer::Refuted,
            assumptions,
            test_case: self.test_case((&reason, shows), &given, &repeated),
            reason,
            evidence: Some(Evidence { endless_run: Some(run), ..Evidence::default() }),
            ..self.unknown(property, vec![cause])
        }
    }

    /// The answer that a run does what it must not.
    fn violated(&self, program: &Program, property: &Property, violation: &Violation) -> Finding {
        let run = failing::run(program, violation);
        let cause = failing::cause(program, violation);
        let reason = match &cause.location {
            Some(location) => format!("{}: {}", location.describe(), cause.message),
            None => cause.message.clone(),
        };
        let subproperty = match property {
            Property::MemorySafety => violation.event.subproperty().map(str::to_owned),
            _ => None,
        };
        let evidence = Evidence { failing_run: Some(run), ..Evidence::default() };
        let shows = failing::shows(&violation.event);
        Finding {
            answer: Answer::Refuted,
            test_case: self.test_case((&reason, shows), &failing::given(violation), &[]),
            subproperty,
            reason,
            evidence: Some(evidence),
            ..self.unknown(property, vec![cause])
        }
    }

    /// A C file that shows what is refuted, when the program is C and starts at `main`.
    fn test_case(
        &self,
        (reason, shows): (&str, Shows),
        given: &[Given],
        repeated: &[Given],
    ) -> Option<String> {
        self.source.as_ref().filter(|_| self.options.entry.is_none())?;
        let (file, externals) = (self.file.as_str(), self.externals.as_slice());
        let case = TestCase { file, reason, shows, given, repeated, externals };
        Some(harness::render(&case))
    }

    /// The answer that there is none, for these causes.
    #[must_use]
    pub fn unknown(&self, property: &Property, causes: Vec<Cause>) -> Finding {
        unanswered(&self.file, &self.options, property, causes)
            .of_entry(self.entry(), &self.assumptions)
    }

    /// The function where execution starts, as the user knows it.
    fn entry(&self) -> String {
        match (&self.options.entry, &self.program) {
            (Some(entry), _) => entry.clone(),
            (None, Ok(program)) => {
                let entry = program.open.as_ref().map_or(program.entry, |open| open.procedure);
                let name = &program.procedure(entry).name;
                if name.contains('$') { "main".to_owned() } else { name.clone() }
            }
            (None, Err(_)) => "main".to_owned(),
        }
    }
}

impl Finding {
    fn of_entry(self, entry: String, assumptions: &[&'static str]) -> Self {
        Self { entry, assumptions: assumptions.to_vec(), ..self }
    }
}

/// The answer that there is none, about a file that was perhaps not read to its
/// end.
#[must_use]
pub fn unanswered(
    file: &str,
    options: &Options,
    property: &Property,
    causes: Vec<Cause>,
) -> Finding {
    let reason = causes.first().map_or_else(String::new, |cause| match &cause.location {
        Some(location) => format!("{}: {}", location.describe(), cause.message),
        None => cause.message.clone(),
    });
    Finding {
        file: file.to_owned(),
        entry: options.entry.clone().unwrap_or_else(|| "main".to_owned()),
        property: property.name().to_owned(),
        argument: property.argument().map(str::to_owned),
        answer: Answer::Unknown,
        subproperty: None,
        reason,
        precondition: Vec::new(),
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
        evidence: None,
        accepted: None,
        test_case: None,
    }
}
