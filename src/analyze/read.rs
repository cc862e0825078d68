//! From the text of a file to a program that questions can be asked about.

use super::{Origin, Subject, did_you_mean};
use base::source::{SourceMap, Span};
use c::{
    self, Compiled, Entries, Input, MallocModel, Options, Parsed, PreprocessedSource, Rejection,
    SyntaxError,
};
use ir::semantics::IntModel;
use ir::text::{self, Contract, Moment};
use ir::{ProcedureId, Program};
use its::{Located, SystemError, smt, t2};
use obligation::Goal;
use reduce::integers::readings;
use report::{Location, Problem};
use std::sync::{Arc, OnceLock};
use verdict::Reason;

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

/// Reads a file.
///
/// # Errors
/// What is wrong with its text.
pub fn read(source: Source, options: &Options) -> Result<Subject, Vec<Problem>> {
    match source {
        Source::C(source) => read_parsed(&Arc::new(parse(&[source], options.input)?), options),
        Source::Goto { name, text } => read_goto(name, &text, options),
        Source::Smt { name, text } => read_system(smt::read(&name, &text), name, options),
        Source::T2 { name, text } => read_system(t2::read(&name, &text), name, options),
    }
}

/// Parses the files of a C program.
///
/// # Errors
/// The first place where one of them is no C.
pub fn parse(sources: &[PreprocessedSource], input: Input) -> Result<Parsed, Vec<Problem>> {
    c::parse(sources, input).map_err(|rejection| problems(&rejection))
}

/// Reads a C program as proofs need it that runs end.
///
/// # Errors
/// What is wrong with its files.
pub fn read_parsed(parsed: &Arc<Parsed>, options: &Options) -> Result<Subject, Vec<Problem>> {
    let [proofs, _] = readings(Goal::Ends, options.int_model);
    let options_of_proofs = Options { int_model: proofs.model, ..options.clone() };
    let compiled = c::compile_parsed(parsed, &options_of_proofs);
    let compiled = compiled.map_err(|rejection| {
        let mut problems = problems(&rejection);
        // `a.c:f` is a function of a file.
        let named = options.entry.as_deref().and_then(|it| it.rsplit(':').next());
        let named = named.unwrap_or_default();
        let is_missing = |it: &&mut Problem| it.message == c::missing_function(named);
        for problem in problems.iter_mut().filter(is_missing) {
            problem.message = missing(named, parsed);
        }
        problems
    })?;
    let Compiled { program, externals, assumptions: of_world, file } = compiled;
    let unread = parsed.unread().iter();
    let unread =
        unread.map(|file| format!("`{file}`, which cannot be read, is no part of the program"));
    let modelled = modelled(&program, parsed.models());
    let of_world = unread.chain(of_world).chain(modelled);
    let (program, assumptions) = (Ok(program), assumptions(options, of_world));
    let origin = Origin::C { parsed: Arc::clone(parsed), file, externals };
    Ok(Subject { origin, options: options.clone(), program, assumptions, known: OnceLock::new() })
}

/// What is taken for granted of the functions that models stand for.
fn modelled(program: &Program, models: &[String]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for procedure in program.procedures.iter().filter(|it| !it.blocks.is_empty()) {
        let file = Location::of_span(procedure.span, &program.sources).file;
        let line = format!("`{}` does what {file} says", procedure.shown_name());
        if models.contains(&file) && !told.contains(&line) {
            told.push(line);
        }
    }
    told
}

/// That there is no such function, and which one may have been meant.
pub(super) fn missing(named: &str, parsed: &Parsed) -> String {
    let known = c::entry_points(parsed, Entries::All);
    let near = did_you_mean(named, known.iter().map(|it| it.function.as_str()));
    c::missing_function(named) + &near
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
pub(super) const NO_OVERFLOW: &str = "signed integers do not overflow";

/// What holds of C programs by the user's choice of options.
fn assumptions(options: &Options, of_world: impl Iterator<Item = String>) -> Vec<String> {
    let mut assumptions = Vec::new();
    if options.int_model != IntModel::Machine {
        assumptions.push(NO_OVERFLOW.to_owned());
    }
    if options.malloc == MallocModel::Succeeds {
        assumptions.push("malloc does not fail".to_owned());
    }
    assumptions.extend(of_world);
    assumptions
}

fn read_system(
    system: Result<Located, SystemError>,
    name: String,
    options: &Options,
) -> Result<Subject, Vec<Problem>> {
    let sources = SourceMap { files: vec![name.clone()] };
    let Located { program, locations } = system.map_err(|error| {
        let location = Location::of_span(error.span, &sources);
        vec![Problem { message: error.message, location }]
    })?;
    if options.entry.as_deref().is_some_and(|entry| entry != "main") {
        let message = "a transition system has no entry but its start".to_owned();
        return Err(vec![Problem { message, location: Location::of_file(&name) }]);
    }
    let origin = Origin::System { file: name, contracts: Vec::new(), locations };
    Ok(Subject::of_system(origin, options, Ok(program)))
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
    let origin = Origin::System { file: name, contracts, locations: Vec::new() };
    Ok(Subject::of_system(origin, options, program))
}

impl Subject {
    /// What is read from a format that leaves nothing to others.
    fn of_system(origin: Origin, options: &Options, program: Result<Program, Reason>) -> Self {
        Self {
            origin,
            options: options.clone(),
            program,
            assumptions: Vec::new(),
            known: OnceLock::new(),
        }
    }
}
